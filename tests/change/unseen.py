UNSEEN = {}
