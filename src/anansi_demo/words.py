"""The word lists and sentence patterns that the texts of the example site are made of.

A pattern names its slots in braces; a slot is filled from the topic's list of that name, or from `EVERYDAY`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """One subject: what can be said about it, and the words to say it with."""

    name: str
    slots: dict[str, tuple[str, ...]]
    sentences: tuple[str, ...]
    titles: tuple[str, ...]


def listed(text: str) -> tuple[str, ...]:
    """Split a list written with bars."""
    return tuple(" ".join(item.split()) for item in text.split("|"))


def _lines(text: str) -> tuple[str, ...]:
    """Split a list written one item a line."""
    return tuple(line.strip() for line in text.strip().splitlines())


EVERYDAY = {
    "month": listed("January|February|March|April|May|June|July|August|September|October|November|December"),
    "day": listed("Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"),
    "few": listed("two|three|four|five|six|seven|a couple of|half a dozen"),
    "many": listed("eleven|fifteen|eighteen|twenty|thirty-odd|forty|nearly sixty"),
    "once": listed(
        "last week|the other day|this morning|years ago|on Sunday|in spring|over the holidays|last autumn|"
        "at the weekend|a fortnight ago|before the frost|when I was a student"
    ),
    "person": listed(
        "my neighbour|my aunt|an old colleague|the woman at the market|my brother-in-law|our postman|"
        "a retired teacher|my daughter|the librarian|a friend in Graz|my grandfather|someone at the club"
    ),
    "verdict": listed(
        "it was well worth the trouble|I would not do it again|nobody noticed the difference|"
        "I was pleasantly surprised|the result was mixed at best|it saved me an afternoon|"
        "I am still not convinced|that settled the matter|"
        "it has worked ever since|the second attempt went better|I learned more than I expected"
    ),
}

TALK = _lines("""
    Thanks, that is exactly the kind of answer I was hoping for.
    I am not sure I agree, but I see where you are coming from.
    Could you post a picture when you get round to it?
    Same here, and I tried it {once} as well.
    I asked {person} about this and got a completely different answer.
    Welcome to the forum, by the way, you will like it here.
    For what it is worth, {verdict}.
    That is a fair point, I had not thought of it that way.
    I would wait until {month} before drawing any conclusion.
    We had this discussion {few} times already, but the old thread is hard to find.
    Short version: yes. Long version: it depends.
    Let me know how it goes, I am curious.
    I wrote it down {once} so that I would not forget, and then lost the notebook.
    Has anyone here done this more than once?
    I will report back on {day}.
    You are overthinking this, just try it.
    It took me {few} attempts, so do not give up.
    I have nothing to add except this: {verdict}.
    Good question, I always wondered about that too.
    Sorry for the late reply, it was a busy {month}.
    According to {person}, this was common knowledge a generation ago.
    I stand corrected, and I have changed my first post.
    There is no wrong answer here, only different habits.
    Please tell us where you live, the advice depends on it.
""")

GARDEN = Topic(
    "garden",
    {
        "plant": listed(
            "broad beans|runner beans|leeks|tomatoes|courgettes|raspberries|parsnips|shallots|sweet peas|"
            "dahlias|beetroots|gooseberries|kale plants|chillies|pumpkins|early potatoes|foxgloves|blackcurrants"
        ),
        "pest": listed("slugs|aphids|pigeons|vine weevils|carrot flies|leaf miners|mice|cabbage whites|voles|snails"),
        "place": listed(
            "in the north bed|under the pear tree|in the cold frame|along the brick wall|on the allotment|"
            "behind the shed|in old zinc tubs|next to the compost heap|on the balcony|in the polytunnel"
        ),
        "tool": listed(
            "a hand fork|the old hoe|a soil thermometer|a bent trowel|the long-handled dibber|a bucket and string|"
            "a rake with three teeth missing|secateurs|a water butt|an improvised sieve"
        ),
        "remedy": listed(
            "crushed eggshells|a ring of grit|nettle tea|a fine net|wood ash|a thick mulch of leaves|"
            "beer in yoghurt pots|soft soap|sheep's wool|evening patrols with a torch"
        ),
        "soil": listed("heavy clay|thin sandy soil|good loam|chalk and stones|peaty ground|builder's rubble"),
    },
    _lines("""
        The {plant} {place} came up {few} weeks late this year.
        I lost about {many} seedlings to {pest} in a single night.
        With {remedy} the damage stopped, although {person} swears it was only the weather.
        We are on {soil}, so everything that likes wet feet does well and everything else sulks.
        I sowed the {plant} in {month} and covered them with fleece.
        If you grow {plant} {place}, leave more room than the packet says.
        All you need is {tool} and a dry {day}.
        The {pest} never touch the {plant} that stand {place}.
        I dug in {few} barrows of manure {once} and the ground has been easier ever since.
        A mulch keeps the moisture in, and on {soil} that makes all the difference.
        My {plant} always get mildew by {month}, whatever I do.
        {person_cap} gave me a bag of {plant} to try, and {verdict}.
        Rotate them: {plant} one year, {plant} the next, then let the bed rest.
        Do not water at noon, do it before breakfast or leave it until {day} evening.
        I counted {many} flowers on one stem {place}.
        The catalogue promised a harvest in {month}; I picked the first ones {few} weeks after that.
        Pinch out the tips when the plants have {few} pairs of leaves.
        Since I put up {remedy}, the {pest} go to next door instead.
        The soil thermometer said nine degrees, which is plenty for {plant}.
        Seeds saved {once} germinated better than the bought ones.
        I use {tool} for that, it is the only thing that works {place}.
        Leave the roots in the ground after cutting, they feed whatever comes next.
        The {plant} froze back to the ground and came again in {month}.
        On {soil} I would start them in pots and plant them out in {month}.
        Half of the bed is under {plant} now, the other half belongs to the {pest}.
    """),
    _lines("""
        What is eating my {plant}?
        {plant_cap} {place}: does it work?
        {plant_cap} on {soil}
        Too late for {plant} in {month}?
        {remedy_cap} against {pest}: myth or not
        My {plant} are turning yellow
        Show us your {plant}
        Swap: {plant} for {plant}
        First frost and {plant} still outside
        How deep for {plant}?
        {pest_cap} {place}, please help
        Best use of {tool}
        A year of {plant}, with figures
        Watering plan for {month}
    """),
)

TRAINS = Topic(
    "trains",
    {
        "train": listed(
            "night train|stopping train|railcar|morning express|push-pull set|freight working|steam special|"
            "rush-hour relief|cross-border service|mail train|narrow-gauge train|sleeper"
        ),
        "station": listed(
            "Alderbrück|Port Elwin|Saint-Orme|Halvdal|Westerloo Junction|Kesselbach|Monte Ferro|Tarnów Wielki|"
            "Glen Arrich|Vila Serena|Oberlauch|Lower Pemsey|Brezno Halt|Quai des Tanneurs"
        ),
        "thing": listed(
            "the signal box|the footbridge|the old water tower|the level crossing|the goods shed|the turntable|"
            "the station clock|the buffet|the waiting room|the semaphore at the platform end"
        ),
        "event": listed(
            "a points failure|engineering works|a timetable change|a strike|a wandering cow|a frozen coupling|"
            "a late connection|a missing crew|a signalling test|an open day"
        ),
        "stock": listed(
            "a four-axle diesel|two blue carriages|an electric from the fifties|a battery unit|a brake van|"
            "the last compartment coach|a tank engine|a rake of hopper wagons|a restaurant car|a pair of railbuses"
        ),
    },
    _lines("""
        The {train} from {station} was {many} minutes late because of {event}.
        At {station} you can still see {thing}, freshly painted.
        They ran {stock} instead, and {verdict}.
        I changed at {station} with {few} minutes to spare.
        Between {station} and {station} the line follows the river and you want a seat on the left.
        {person_cap} worked at {station} until the box closed and remembers every lever.
        The branch to {station} has had no passengers since {month}.
        Photographs are best from {thing}, with the sun behind you until about ten.
        The guard explained that {event} had blocked both tracks.
        My model of {station} is at last getting {thing}, in cardboard for now.
        According to the working timetable the {train} only calls at {station} on a {day}.
        I paid for a seat and stood all the way to {station}.
        The {train} was made up of {stock} and a van.
        Rumour has it that {station} gets a second platform in {month}.
        The gradient above {station} is steeper than it looks; {stock} slipped twice.
        We waited {few} hours at {station}, and at least the tea was hot.
        A through ticket was cheaper than {few} separate ones, do not ask me why.
        In winter they send {stock} ahead to clear the snow.
        {thing_cap} at {station} is listed, so it will stay.
        The connection at {station} is guaranteed only if the {train} is less than five minutes late.
        I have the public timetable of that year and there is no trace of such a {train}.
        From the footplate you notice how often the line curves before {station}.
        The announcement blamed {event}, the driver blamed the announcement.
        In the museum at {station} stands {stock}, under a leaking roof.
        Every {day} {few} enthusiasts meet at {station} to oil the points.
    """),
    _lines("""
        {station}: what is left of {thing}
        {event_cap} near {station}, what happened?
        {train_cap} to {station}: which seat?
        Can anyone identify {stock}?
        {station} to {station} in one day
        Trip report: {train} via {station}
        {thing_cap} at {station}, how to model it
        Will the {train} to {station} come back?
        Timetable question: {station} on a {day}
        {stock_cap} seen at {station}
        Closed in {month}: the line to {station}
        Changing trains at {station}
        Sound recordings of the {train}
    """),
)

KITCHEN = Topic(
    "kitchen",
    {
        "dish": listed(
            "onion soup|rye bread|lentil stew|plum dumplings|potato gratin|fish pie|barley risotto|cherry cake|"
            "bean salad|mushroom ragout|apple strudel|flatbread|pumpkin curry|leek tart|buckwheat pancakes"
        ),
        "item": listed(
            "smoked paprika|caraway|sour cream|brown butter|pickled lemons|marjoram|roasted flour|dried mushrooms|"
            "cider vinegar|black garlic|mustard seed|quince jelly|toasted oats|juniper berries"
        ),
        "vessel": listed(
            "a cast-iron pot|the big steel pan|an enamel tin|a clay dish|the pressure cooker|a copper bowl|"
            "an old loaf tin|a carbon-steel wok|a cake ring"
        ),
        "step": listed(
            "let it rest|turn the heat down|skim the foam|fold it twice|add the liquid slowly|salt it early|"
            "dry it well|keep the lid on|taste before serving|strain it through a cloth"
        ),
        "flaw": listed(
            "too salty|dry in the middle|grey and sad|burnt underneath|watery|bitter|flat|tough as a boot|"
            "sweeter than planned|full of lumps"
        ),
    },
    _lines("""
        My {dish} came out {flaw}, although I followed the recipe to the letter.
        A spoonful of {item} changes the whole {dish}.
        Use {vessel}, {step}, and give it {many} minutes.
        {person_cap} makes {dish} without {item}, and {verdict}.
        The trick is simple: {step}, then {step}.
        I baked it in {vessel} on the lowest shelf.
        If it turns {flaw}, some {item} will save it.
        On a {day} I cook {dish} for {few} people and freeze the rest.
        The dough needs {few} hours in {month} and twice as long in winter.
        Good {item} is hard to find here, so I order it once a year.
        I found the recipe in a parish cookbook that {person} lent me.
        You can replace {item} by {item}, but then call it something else.
        We ate {dish} {few} evenings running and nobody complained.
        The oven runs hot at the back, so turn {vessel} half way through.
        Weigh the flour; cups are how mine ended up {flaw}.
        In my family {dish} is served with {item}, always, even at weddings.
        For {dish} the cheap cut is the right one.
        I scraped the bottom of {vessel} for a week after that experiment.
        The recipe says {many} minutes, my stove says otherwise.
        {step_cap}, or it will be {flaw}.
        Yesterday's {dish} tastes better, especially with {item} on top.
        I keep a jar of {item} next to the stove since {person} showed me how.
        Season at the end, because {item} brings its own salt.
        The smell alone brought {few} neighbours to the door.
        It is not elegant, but {dish} from {vessel} feeds a whole choir.
    """),
    _lines("""
        Why is my {dish} {flaw}?
        {dish_cap} without {item}
        {dish_cap} in {vessel}
        What to do with {item}?
        Grandmother's {dish}, reconstructed
        {item_cap} or {item} for {dish}?
        {dish_cap} for {many} people
        Looking for a lost recipe: {dish}
        {item_cap}: home-made or bought
        Sunday {dish}, step by step
        Can you freeze {dish}?
        Cleaning {vessel}
    """),
)

LANGUAGES = Topic(
    "languages",
    {
        "tongue": listed(
            "Welsh|Basque|Finnish|Romansh|Faroese|Hungarian|Sorbian|Catalan|Estonian|Frisian|Breton|Maltese|"
            "Galician|Icelandic|Georgian|Ladin"
        ),
        "feature": listed(
            "the dative|vowel harmony|the definite article|word order|the subjunctive|consonant mutation|"
            "counting by twenties|the dual|evidential endings|aspect|diminutives|grammatical gender"
        ),
        "method": listed(
            "reading the label on every jar|flashcards on the tram|singing in the choir|an hour of radio a day|"
            "writing postcards|talking to the baker|a dictionary from 1931|subtitles|children's books|"
            "a tandem partner"
        ),
        "slip": listed(
            "wished a policeman a good harvest|ordered a shoe instead of a cake|thanked the wrong aunt|"
            "called the mayor a kettle|said goodbye on arrival|asked for the price of the moon"
        ),
    },
    _lines("""
        I have been learning {tongue} for {few} years, mostly by {method}.
        What surprised me in {tongue} is {feature}.
        In my first week I {slip}, and everybody was very kind about it.
        {person_cap} speaks {tongue} at home and {tongue} at work.
        {feature_cap} looks frightening on paper and takes {few} days in practice.
        There are {many} words for drizzle here, and I use one.
        With {method} the vocabulary stays; with lists it leaves by {day}.
        The grammar I own explains {feature} in {many} pages and leaves out the important part.
        Compared with {tongue}, {tongue} is generous with vowels.
        I understood the whole sentence except the verb, which had been kept for the end.
        Dialects differ from valley to valley, and {feature} differs with them.
        Try {method}: {verdict}.
        The evening class starts in {month} and needs {few} more people.
        A proverb in {tongue} says that a guest sees more in an hour than the host in a year.
        Nobody taught me {feature}, I caught it like a cold.
        The textbook dialogue takes place at a station, as they all do.
        I read a novel in {tongue} {once}, with a pencil, and understood the dog.
        My notes on {feature} fill {few} notebooks and contradict one another.
        Children of five or six correct me without mercy, which is the best lesson of all.
        {tongue} borrowed the word from {tongue}, and gave it back with another meaning.
        When tired I mix {tongue} and {tongue}, and the result is understood by the cat.
        The radio announcer speaks slowly on a {day}, perhaps for my sake.
    """),
    _lines("""
        Learning {tongue} by {method}
        {feature_cap} in {tongue}
        How I {slip}
        {tongue} or {tongue}?
    """),
)

TOPICS = {topic.name: topic for topic in (GARDEN, TRAINS, KITCHEN, LANGUAGES)}
