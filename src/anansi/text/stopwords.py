"""Words that say nothing of what a text is about, by language (two letters)."""

from __future__ import annotations

from typing import Final

_LISTS: Final[dict[str, str]] = {
    "ar": "في من على إلى عن أن إن هذا هذه التي الذي كان كانت لا ما مع هو هي و أو ثم لم لن قد كل بعد قبل",
    "da": """og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min
        havde ham hun nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev
        kunne ind når""",
    "de": """der die das den dem des ein eine einer eines einem einen und oder aber als auch auf aus bei bis da
        damit dann dass daß denn dir du durch er es für hat haben hatte ich ihr ihm ihn im in ist ja kann kein
        keine man mehr mein mich mir mit nach nicht noch nur ob sein seine sehr sich sie sind so über um uns
        unter vom von vor war waren was wenn wer wie wieder will wir wird wurde zu zum zur""",
    "en": """a about after all also am an and any are as at be because been before being but by can could did do
        does doing for from had has have having he her here hers him his how i if in into is it its just me more
        most my no not now of off on once only or other our out over own re s same she should so some such t
        than that the their them then there these they this those through to too under up ve very was we were
        what when where which while who whom why will with would you your ll d m don""",
    "es": """a al algo ante como con contra cual cuando de del desde donde dos el ella ellos en entre era es esa
        ese eso esta este esto está fue ha hasta hay la las le les lo los más me mi muy no nos o para pero por
        porque que qué se sea ser si sí sin sobre son su sus también te tiene todo todos tu un una uno unos y ya
        yo""",
    "fi": """ja on ei se että joka hän oli mutta kun niin ovat kuin minä sinä me te he tämä nämä ne myös tai jos
        vain mitä nyt sen siitä sitä ole olla hänen ollut""",
    "fr": """a à ai au aux avec c ça ce ces cette d dans de des du elle en es est et été être eu il ils j je l
        la le les leur leurs lui m ma mais me même mes moi mon n ne nos notre nous on ont ou où par pas plus
        pour qu quand que quel quelle qui s sa sans se ses si son sont sur t ta te tes toi ton tout tous très tu
        un une vos votre vous y fait comme cela donc""",
    "it": """a ad al alla alle agli ai anche che chi ci come con cosa da dal dalla de dei del della delle di
        dove e è ed era gli ha hanno ho i il in io la le lei li lo loro lui ma mi mia mio nel nella noi non o
        per perché più quando quello questa questo se sei si sono su sua sul suo ti tra tu tutti un una uno vi""",
    "nl": """aan al alles als bij dan dat de der deze die dit doch door dus een en er ge geen had heb hebben
        heeft het hem hier hij hoe hun ik in is ja je kan maar me meer men met mij mijn na naar niet nog nu of
        om omdat ook op over te tot uit van veel voor want waren was wat we wel werd wie wij wordt zal ze zich
        zij zijn zo zou""",
    "no": """og i jeg det at en et den til er som på de med han av for ikke der var meg seg men har om vi min
        hadde hun nå over da fra du ut sin dem oss opp man hans hvor eller hva skal selv her alle vil ble kunne
        inn når""",
    "pt": """a ao aos as até com como da das de dela dele do dos e é ela ele eles em entre era essa esse esta
        este eu foi há isso isto já lhe mais mas me mesmo meu minha muito na não nas nem no nos nós o os ou para
        pela pelo por qual quando que quem são se sem ser seu sua só também te tem um uma você""",
    "ru": """и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было
        вот от меня еще нет о из ему теперь когда даже ну если уже или ни быть был него до вас они тут где есть
        для мы их чем была сам без это этот эта""",
    "sv": """och i att det som en på är av för med den till inte har de om ett var men jag sig från vi så kan
        han hon när också eller nu efter man ska skulle där vid mot ut här hade alla vara blev dem du min sin
        över bara""",
    "ca": """a al als amb aquest aquesta com de del dels el els en entre és ha han hi i la les li no o per però
        que què se seu seva si són també un una uns unes va ja més""",
    "cs": """a aby ale ani až by byl byla být co či do ho i já jak jako je jeho její jen ještě již jsem jsou k
        kde když která které který ku ma má mu na nad ne nebo než o od po pod podle pro proto před při s se si
        své tak také tam ten tento to tu už v však ve více z za ze že""",
    "el": """και το να του η της με που την από για τα είναι των σε ο οι στο θα τη στην τον τους δεν τις ένα μια
        ότι ως στα μας αλλά στη κι αν ή""",
    "fa": "و در به از که این را با است برای آن یک خود تا بر هم نیز می های ها شد شده بود کرد ما یا اما اگر",
    "he": "של את על עם לא זה זו היא הוא אני אם או כי גם כל יותר היה אבל רק מה יש אין הם",
    "hi": "के का की है में से को और पर यह ने एक हैं कि भी इस था थे थी नहीं तो ही या हो कर वह जो गया लिए",
    "hu": """a az egy és hogy nem is ez azt de van ha mint csak már meg el ki volt lesz még vagy mert minden fel
        le be aki ami akkor itt ott így ezt azok ezek""",
    "id": """yang dan di ke dari untuk pada adalah ini itu dengan dalam tidak akan oleh juga sebagai ada atau
        karena telah dapat kami kita mereka bisa saya""",
    "ja": """の に は を た が で て と し れ さ ある いる も する から な こと として い や れる など なっ ない
        この ため その あっ よう また もの という あり まで られ なる へ か だ これ によって により おり より
        による ず なり られる において です ます でし まし しかし せ それ ので なお のみ でき""",
    "ko": "이 그 저 것 수 등 및 또는 그리고 하지만 있다 없다 하는 있는 한 를 을 은 는 가 의 에 에서 으로 로 와 과 도",
    "pl": """a aby ale bo by być był była było co czy dla do go i ich im jak jako jego jej jest jeszcze już
        kiedy która które który ma może na nad nie niż o od oraz po pod przed przez przy się są ta tak także tam
        te ten to tu ty w we więc z za ze że""",
    "ro": """a acest această al ale am ar are au ca că ce cea cei cel cele cu când da dar de din după ea ei el
        este eu fi fost în și îi iar la le lor lui mai nu o ori pe pentru prin sau să se sunt un unei unui va""",
    "th": """ที่ และ ใน ของ เป็น มี ได้ ให้ การ จะ ไม่ ว่า กับ จาก แล้ว ก็ มา ไป นี้ นั้น ความ โดย แต่ หรือ อยู่
        คือ ซึ่ง เพื่อ ต่อ ถึง อย่าง ด้วย ยัง ต้อง เมื่อ ขึ้น กัน ๆ""",
    "tr": """ve bir bu da de için ile olarak çok daha olan gibi en ne ya o ki mi ama her kadar sonra var değil
        ise veya ben sen biz siz şu""",
    "uk": """і в у не що на я з як а то все вона так його але та ти до же ви за би по тільки її мені було від ще
        ні о із коли навіть якщо вже або бути був для ми їх це цей ця""",
    "zh": """的 了 和 是 在 我 有 他 她 它 这 那 也 就 不 人 都 一 一个 上 中 为 与 及 对 等 说 要 会 着 没有 你
        我们 他们 自己 以 并 而 其 或 但 被 把 从 到 于 將 将 這 個 个 們 為 與 對 說 會 沒有 這個""",
}

STOP_WORDS: Final[dict[str, frozenset[str]]] = {code: frozenset(each.split()) for code, each in _LISTS.items()}
TELLING: Final = ("ar", "da", "de", "en", "es", "fi", "fr", "it", "nl", "no", "pt", "ru", "sv")
"""Languages that a short text is told by: their lists are long enough and share little with each other."""


def is_stop_word(word: str, language: str) -> bool:
    """Tell whether a word says nothing of what a text is about."""
    return word in STOP_WORDS.get(language, frozenset())
