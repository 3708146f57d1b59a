"""The words of dates in many languages, as tables.

Every table is keyed by folded words (small letters, no accents), and texts are folded before they are looked up, so a
page that drops its accents or shouts is read like any other. A row is one language; `/` stands between spellings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from anansi.text.folding import fold

# ── months and days ────────────────────────────────────────────────────────────────────────────────────────────────

_MONTHS = """
january february march april may june july august september october november december
januar/jänner februar/feber märz/maerz/mrz april mai juni juli august september oktober november dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
januari februari maart/mrt april mei juni juli augustus september oktober november december
styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca sierpień/sierpnia \
wrzesień/września październik/października listopad/listopada grudzień/grudnia
leden/ledna únor/února březen/března duben/dubna květen/května červen/června/čer/čvn červenec/července/čvc/črc \
srpen/srpna září říjen/října listopad/listopadu prosinec/prosince
januari februari mars april maj juni juli augusti september oktober november december
januar februar marts april maj juni juli august september oktober november december
januar februar mars april mai juni juli august september oktober november desember
tammikuu/tammikuuta/tammi helmikuu/helmikuuta/helmi maaliskuu/maaliskuuta/maalis huhtikuu/huhtikuuta/huhti \
toukokuu/toukokuuta/touko kesäkuu/kesäkuuta/kesä heinäkuu/heinäkuuta/heinä elokuu/elokuuta/elo \
syyskuu/syyskuuta/syys lokakuu/lokakuuta/loka marraskuu/marraskuuta/marras joulukuu/joulukuuta/joulu
január február március április május június július augusztus szeptember/szept október november december
ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie
ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
январь/января февраль/февраля март/марта апрель/апреля май/мая июнь/июня июль/июля август/августа \
сентябрь/сентября октябрь/октября ноябрь/ноября декабрь/декабря
січень/січня лютий/лютого березень/березня квітень/квітня травень/травня червень/червня липень/липня \
серпень/серпня вересень/вересня жовтень/жовтня листопад/листопада грудень/грудня
ιανουάριος/ιανουαρίου φεβρουάριος/φεβρουαρίου μάρτιος/μαρτίου απρίλιος/απριλίου μάιος/μαΐου ιούνιος/ιουνίου \
ιούλιος/ιουλίου αύγουστος/αυγούστου σεπτέμβριος/σεπτεμβρίου οκτώβριος/οκτωβρίου νοέμβριος/νοεμβρίου \
δεκέμβριος/δεκεμβρίου
januari februari/pebruari maret april mei juni juli agustus/agt/ags september oktober november/nopember desember
gener febrer març abril maig juny juliol agost setembre octubre novembre desembre
január/januára február/februára marec/marca apríl/apríla máj/mája jún/júna júl/júla august/augusta \
september/septembra október/októbra november/novembra december/decembra
januar februar marec april maj junij julij avgust september oktober november december
januar februar mart april maj jun jul avgust septembar oktobar novembar decembar
јануар/јануара фебруар/фебруара март/марта април/априла мај/маја јун/јуна јул/јула август/августа \
септембар/септембра октобар/октобра новембар/новембра децембар/децембра
siječanj/siječnja veljača/veljače ožujak/ožujka travanj/travnja svibanj/svibnja lipanj/lipnja srpanj/srpnja \
kolovoz/kolovoza rujan/rujna oktobar studeni/studenoga prosinac/prosinca
януари/ян февруари март април май юни юли август септември октомври ноември декември
sausis/sausio vasaris/vasario kovas/kovo balandis/balandžio gegužė/gegužės birželis/birželio liepa/liepos \
rugpjūtis/rugpjūčio rugsėjis/rugsėjo spalis/spalio lapkritis/lapkričio gruodis/gruodžio
janvāris/janvārī februāris/februārī marts aprīlis/aprīlī maijs/maijā jūnijs/jūnijā jūlijs/jūlijā augusts/augustā \
septembris/septembrī oktobris/oktobrī novembris/novembrī decembris/decembrī
jaanuar/jaan veebruar märts aprill mai juuni juuli august september oktoober november detsember
يناير فبراير مارس أبريل/ابريل مايو يونيو/يونيه يوليو/يوليه أغسطس/اغسطس سبتمبر أكتوبر/اكتوبر نوفمبر ديسمبر
ינואר/בינואר פברואר/בפברואר מרץ/במרץ אפריל/באפריל מאי/במאי יוני/ביוני יולי/ביולי אוגוסט/באוגוסט \
ספטמבר/בספטמבר אוקטובר/באוקטובר נובמבר/בנובמבר דצמבר/בדצמבר
"""
"""The Croatian `listopad` is October and is left to Poles and Czechs, whose November it is."""

_WEEKDAYS = """
monday tuesday wednesday thursday friday saturday sunday
montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo
lunedì martedì mercoledì giovedì venerdì sabato domenica
segunda terça quarta quinta sexta sábado domingo
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
poniedziałek wtorek środa czwartek piątek sobota niedziela
pondělí úterý středa čtvrtek pátek sobota neděle
måndag tisdag onsdag torsdag fredag lördag söndag
mandag tirsdag onsdag torsdag fredag lørdag søndag
maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai
hétfő kedd szerda csütörtök péntek szombat vasárnap
luni marți miercuri joi vineri sâmbătă duminică
pazartesi salı çarşamba perşembe cuma cumartesi pazar
понедельник вторник среда/среду четверг пятница/пятницу суббота/субботу воскресенье
понеділок вівторок середа/середу четвер п'ятниця/п'ятницю субота/суботу неділя/неділю
δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή
thứ-hai thứ-ba thứ-tư thứ-năm thứ-sáu thứ-bảy chủ-nhật
senin selasa rabu kamis jumat sabtu minggu
dilluns dimarts dimecres dijous divendres dissabte diumenge
pondelok utorok streda štvrtok piatok sobota nedeľa
ponedeljek torek sreda četrtek petek sobota nedelja
ponedjeljak/ponedeljak utorak srijeda/sreda četvrtak petak subota nedjelja/nedelja
понедељак уторак среда четвртак петак субота недеља
понеделник вторник сряда четвъртък петък събота неделя
الاثنين/الإثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد
星期一/周一/週一 星期二/周二/週二 星期三/周三/週三 星期四/周四/週四 \
星期五/周五/週五 星期六/周六/週六 星期日/周日/週日/星期天
月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日
월요일 화요일 수요일 목요일 금요일 토요일 일요일
"""


def plain(phrase: str) -> str:
    """Return a phrase as its folded words with single spaces."""
    return fold(phrase).replace("-", " ").replace("'", " ")


def _phrases(words: str) -> frozenset[str]:
    return frozenset(map(plain, words.split()))


def _numbered(row: str) -> dict[str, int]:
    """Return the words of a row with their places in it, from 1."""
    places = enumerate(row.split(), start=1)
    return {plain(word): number for number, spellings in places for word in spellings.split("/")}


def _short(words: Mapping[str, int]) -> dict[str, int]:
    """Return the beginnings of a language's words that mean one thing only."""
    meanings: dict[str, set[int]] = {}
    for word, number in words.items():
        for length in (3, 4):
            meanings.setdefault(word if " " in word else word[:length], set()).add(number)
    return {word: min(numbers) for word, numbers in meanings.items() if len(numbers) == 1}


def _table(rows: str, taken: Mapping[str, int]) -> dict[str, int]:
    """Return the words of all languages; one that two languages shorten to is the one's that comes first."""
    table: dict[str, int] = {}
    languages = [_numbered(row) for row in rows.strip().splitlines()]
    for words in (*languages, *map(_short, languages)):
        for word, number in words.items():
            if word not in taken:
                table.setdefault(word, number)
    return table


MONTHS: Final[Mapping[str, int]] = _table(_MONTHS, {})
WEEKDAYS: Final[Mapping[str, int]] = _table(_WEEKDAYS, MONTHS)
"""From 1 for Monday. A word that is also a month's, like the French `mar.`, is left to the months."""

VIETNAMESE: Final[Mapping[str, int]] = {
    **_numbered("một/giêng hai ba tư năm sáu bảy tám chín mười mười-một mười-hai/chạp"),
    **{f"{number:{width}}": number for number in range(1, 13) for width in ("", "02")},
}
"""What follows `tháng` in the name of a month."""

ENGLISH: Final = _phrases(
    """at by edited joined last monday tuesday wednesday thursday friday saturday sunday message modified post
    posted published registered replied reply sent since started the updated wrote"""
)
"""Words that only English has around a date."""

# ── times ──────────────────────────────────────────────────────────────────────────────────────────────────────────

AT: Final = _phrases("alle feira godz godzinie hora horas kello pukul saat στις ώρα время")
"""Words of more than three letters between a date and its time."""

HALVES: Final[Mapping[str, int]] = {
    fold(word): hours
    for words, hours in (
        ("am πμ sa öö ص 上午 早上 凌晨 清晨 午前 오전", 0),
        ("pm μμ ch ös م 下午 晚上 中午 午後 오후", 12),
    )
    for word in words.split()
}
"""The halves of the day and the hours they begin with."""

ZONES: Final[Mapping[str, str]] = {
    name: offset
    for names, offset in (
        ("z utc gmt wet", "+00:00"),
        ("cet mez bst west", "+01:00"),
        ("cest mesz eet sast", "+02:00"),
        ("eest msk", "+03:00"),
        ("jst kst", "+09:00"),
        ("aest", "+10:00"),
        ("adt", "-03:00"),
        ("ast edt", "-04:00"),
        ("est cdt", "-05:00"),
        ("cst mdt", "-06:00"),
        ("mst pdt", "-07:00"),
        ("pst akdt", "-08:00"),
    )
    for name in names.split()
}

# ── how long ago ───────────────────────────────────────────────────────────────────────────────────────────────────

_BACK = (
    """today heute aujourd'hui hoy oggi hoje vandaag dzisiaj dziś dnes idag i-dag tänään ma astăzi azi bugün
    avui danas данас danes днес šiandien šodien täna сегодня сьогодні σήμερα hôm-nay hari-ini اليوم היום 今天 今日
    오늘""",
    """yesterday gestern hier ayer ieri ontem gisteren wczoraj včera igår i-går i-gar eilen tegnap dün вчера вчора
    учора ahir jučer juče јуче včeraj vakar eile χθες χτες εχθές hôm-qua kemarin أمس امس אתמול 昨天 昨日 어제""",
    """vorgestern avant-hier anteayer antier anteontem eergisteren przedwczoraj předevčírem förrgår позавчера
    позавчора προχθές 前天 一昨日 그제""",
)
DAYS: Final[Mapping[str, int]] = {plain(word): number for number, words in enumerate(_BACK) for word in words.split()}
"""Names of days that lie so many days back."""

_UNITS = {
    "second": """s sec secs second seconds sekunde sekunden seconde secondes secondi secondo segundo segundos
        seconden sekund sekundy sekunda sekunder sekuntia sekunti másodperce másodperccel secunde secundă saniye
        секунд секунда секунды секунду сек секунди δευτερόλεπτα δευτερόλεπτο giây detik 秒 秒钟 秒鐘 초
        sekundi sekunde секунди ثانية ثوان ثواني שניות""",
    "minute": """m min mins minute minutes minuten minuut minuto minutos minuti minut minuty minuta minutę minutou
        minutami minutter minuter minuutti minuuttia perce perccel dakika минут минута минуты минуту мин хвилин
        хвилину хвилини хв λεπτά λεπτό phút menit 分 分钟 分鐘 分間 분
        minuta minute minuti минути минута دقيقة دقائق דקה דקות""",
    "hour": """h hr hrs hour hours stunde stunden std heure heures hora horas ora ore uur uren godzin godzinę
        godziny godz hodin hodinou hodinami hodiny timme timmar time timer tunti tuntia óra órája órával oră saat
        час часа часов годин годину години ώρα ώρες giờ jam 小时 小時 時間 시간
        sat sata sati сата сати часа ساعة ساعات שעה שעות""",
    "day": """d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen dagar dage dager
        dzień dni dny dnem päivä päivää napja nappal zi zile gün день дня дней дні днів ημέρα ημέρες μέρες ngày
        hari 天 日 일
        dan dana дана дни ден يوم أيام ايام יום ימים""",
    "week": """w wk week weeks woche wochen semaine semaines semana semanas settimana settimane weken tydzień
        tygodnie tygodni týden týdny týdnem vecka veckor uge uger uke uker viikko viikkoa hete héttel săptămână
        săptămâni hafta неделю недели недель тиждень тижні тижнів εβδομάδα εβδομάδες tuần minggu 周 週 週間
        星期 个星期 주 주일
        tjedan tjedna nedelje седмица седмици أسبوع أسابيع שבוע שבועות""",
    "month": """mo month months monat monate monaten mois mes meses mês mese mesi maand maanden miesiąc miesiące
        miesięcy měsícem měsíci měsíců månad månader måned måneder kuukausi kuukautta hónapja hónappal lună luni
        ay месяц месяца месяцев місяць місяці місяців μήνα μήνες tháng bulan 个月 個月 か月 ヶ月 개월 달
        mjesec mjeseca mjeseci meseca meseci месеца شهر أشهر חודש חודשים""",
    "year": """y yr yrs year years jahr jahre jahren an ans année années año años ano anos anno anni jaar rok lata
        lat let rokem roky år vuosi vuotta éve évvel ani yıl год года лет рік роки років χρόνο χρόνια năm tahun 年
        년
        godina godine godinu година години سنة سنوات שנה שנים""",
}
UNITS: Final[Mapping[str, str]] = {fold(word): unit for unit, words in _UNITS.items() for word in words.split()}

AGO: Final = _phrases(
    """ago vor hace fa ha há atrás geleden temu před pred sedan siden sitten ezelőtt acum urmă önce назад тому
    πριν trước lalu prije pre пре преди prieš pirms منذ לפני 前 전"""
)
"""Words without which a length of time is no date."""

COUNTS: Final[Mapping[str, int]] = {
    fold(word): number
    for number, words in enumerate(
        (
            """a an one un une ein eine einer einem eines una uno um uma een één jeden jedną jedne en ett et egy o
            bir один одну одна ένα μία một satu 一 한 1""",
            "two zwei deux dos due dois duas twee dwa två to kaksi два две дві δύο 两 兩 二",
            "three drei trois tres tre três drie trzy tři kolme три τρία τρεις ba tiga 三",
            "four vier quatre cuatro quattro quatro",
            "five fünf cinq cinco cinque vijf",
            "six sechs seis sei zes",
        ),
        start=1,
    )
    for word in words.split()
}

ALONE: Final = frozenset("s m h d w mo y min hr".split())  # noqa: SIM905 - a word list
"""Units that make a length of time a date without a further word, if nothing else is told: 3h."""

NOW: Final = _phrases(
    """just-now right-now gerade-eben soeben l'instant ahora-mismo proprio-ora agora-mesmo zojuist przed-chwilą
    právě-teď just-nu lige-nu akkurat-nå juuri-nyt éppen-most chiar-acum az-önce şimdi только-что щойно
    moment-ago moments-ago few-seconds einem-moment einem-augenblick wenigen-sekunden un-instant quelques-secondes
    un-momento unos-segundos um-momento poucos-segundos pochi-secondi moment-geleden paar-seconden chwilę-temu
    μόλις-τώρα vừa-xong baru-saja 刚刚 剛剛 たった今 방금"""
)

FAR_EAST: Final = tuple(
    sorted(
        {word for table in (UNITS, DAYS, AGO, COUNTS, NOW, HALVES, WEEKDAYS) for word in table if word > "\u2e80"},
        key=lambda word: (-len(word), word),
    )
)
"""Words of scripts that put no spaces between them, the longest first."""
