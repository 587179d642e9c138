"""Codes: four words with which friends find a waiting table, in the language of its host.

The words are short, distinct, harmless in every combination, and have no accents. Two are from the first list, so each
language has 128 × 127 × 128 × 128 = 266 million codes. Few of them belong to a table at any time, and the rate limit
allows few guesses; the hosting guide gives the odds.

>>> tidy("  Bold Amber-Otter gate ")
'bold amber otter gate'
>>> tidy("Ámbar nutria ermità")
'ambar nutria ermita'
"""

import re
import secrets
import unicodedata
from typing import Final, Literal, TypeAlias

__all__ = ["Language", "new_code", "tidy"]

Language: TypeAlias = Literal["en", "fr", "es"]

_WORDS: Final[dict[Language, tuple[str, str, str]]] = {
    "en": (
        """
        amber apple ashen autumn azure bamboo birch blue bold brave brass bright bronze busy calm candy
        cedar cherry chilly cider clay clear clever clover cobalt copper coral cosy cotton cream crimson
        crisp daisy dandy dapper dawn deep denim dusty early easy ebony elder fancy fern fiery fine
        fluffy fond foggy free fresh frosty gentle giant ginger glad glossy gold grand granite green
        handy happy hazel heather hidden honey humble indigo ivory jade jolly keen kind lemon light
        lilac lime linen little lively lofty lucky lunar maple marble mellow merry mild mint misty
        modest mossy navy neat noble oaken olive opal orange pearl pine plum polite proud purple quick
        quiet royal ruby rustic sandy scarlet shiny silent silver smart snowy solar spring steady sunny
        swift tall teal velvet violet
        """,
        """
        alpaca ant badger bat bear bee beetle bison bluebird boar bobcat buffalo bunny camel canary carp
        cat cheetah civet cobra condor corgi coyote crab crane cricket crow cuckoo deer dingo dolphin
        donkey dove dragon drake duck eagle eel egret elk ermine falcon fawn ferret finch firefly
        flounder fox frog gazelle gecko gibbon giraffe goat goose gopher grouse gull hamster hare hawk
        hedgehog heron horse husky ibex ibis iguana jackdaw jaguar jay kestrel kitten koala lamb lark
        lemur leopard lion lizard llama lobster lynx macaw magpie mallard marmot marten mole moose moth
        mouse newt octopus otter owl panda panther parrot penguin pigeon pony puffin puppy quail rabbit
        raven robin salmon seal shrimp sparrow spider squid stork swan tapir tiger toad toucan trout
        turtle walrus weasel whale wolf wren zebra
        """,
        """
        abbey acorn anchor anvil arch arrow attic bakery banner barrel basket bay beach bell bench
        blossom bonfire book bottle branch bread bridge brook bucket button cabin candle canoe canyon
        castle cave chalk chapel cliff cloud coast comet cottage creek crown desert drum dune engine
        fair farm feather ferry fiddle field fjord flag flute forest fountain garden gate glade grove
        hamlet harbour harp hat hedge hill house inn island jetty kettle kite ladder lagoon lake lamp
        lantern leaf ledge library lodge market meadow meteor mill mirror moon mountain nest oasis ocean
        orchard palace park path pebble piano pier pillow planet pond quarry quill raft rain ribbon
        ridge river rocket sail shell shore sky star stone summit tent tower trumpet tulip tunnel valley
        village wagon wall well wheel window wood
        """,
    ),
    "fr": (
        """
        abricot acajou agate agile ajonc alerte ambre amical ananas anis ardoise argent aurore automne
        avoine azur badine bambou banane basalte basilic blanc bleu blond bonbon bouleau brise bronze
        brume cacao calme cannelle caramel cerise charmant ciel citron clair cobalt cognac content
        coquin corail coton courtois crayon cuivre cumin cyan cyclamen dahlia discret docile doux droit
        espiegle fenouil fier fougere frais fraise framboise franc galant gentil gingembre givre grand
        granit grenat gris habile hiver iris ivoire jade jasmin jaune jonquille jovial joyeux juste
        lavande lilas lin lucide lune marbre melon menthe miel mimosa modeste muscade myrtille nacre
        noble noir olive opale orange orchidee paisible pastel patient perle pivoine poire poivre poli
        prune quartz radieux rapide rose rouge rubis sable safran sage saphir serein soleil solide
        souple sucre tilleul topaze
        """,
        """
        abeille agneau aigle alouette alpaga anchois anguille antilope autruche baleine belette biche
        bison blaireau brebis brochet buffle buse caille canard canari caribou carpe castor cerf chameau
        chamois chat chaton cheval chien chouette cigale cigogne cobra colibri colombe condor coq
        corbeau coucou coyote crabe crapaud crevette cygne daim dauphin dindon dragon escargot faisan
        faon faucon fennec flamant fourmi furet gazelle geai gibbon girafe gorille grillon grive grue
        hamster harpie hermine heron hibou homard husky ibis iguane jaguar jument kangourou koala lapin
        lion loir loriot loup loutre lynx marmotte martre merle moineau mouette mouflon mouton mulet
        narval oie orque otarie ours panda panthere paon papillon perdrix perroquet phoque pie pigeon
        pingouin pinson pivert poney sardine saumon serin souris tapir tatou taupe taureau tigre tortue
        toucan truite vache vautour vison yack
        """,
        """
        abbaye abri ancre anneau arbre arc arche atelier auberge baie balcon ballon banc barque barrage
        bassin bateau beffroi berge bobine bosquet bougie boussole bouton branche cabane cadran cage
        caillou calanque canal carriole cascade caverne chalet chandelle chapeau chapelle chariot chemin
        cloche clocher colline coquille corniche coupole cour couronne cristal digue donjon drapeau dune
        enclume falaise ferme feuille fiacre fleuve foire fontaine forge fournil galerie galet gare
        glacier golfe gorge grange grotte hameau harpe havre horloge jardin kiosque lac lagune lampe
        lande lanterne ligne livre loge maison manoir marais marche mare miroir monde mont moulin
        muraille nid nuage oasis palais panier parc passage perron phare piano place plage plaine
        planche pompe pont porche port portail potager prairie puits quai radeau rame rampe ravin refuge
        rivage roc rocher roue route
        """,
    ),
    "es": (
        """
        abedul acero agua alba aldaba alegre alerce algodon alto amable ambar amigo amplio ancho anis
        arce arcilla arena aroma atento audaz avellana azahar azul bambu barro bello blanco blando bravo
        brezo brillo bronce bueno cacao calmo candil canela caoba caramelo cardo cedro cereza cielo
        ciruela claro clavel cobalto cobre coco comino coral cordial cristal dalia dichoso digno
        discreto dorado dulce encina enorme eterno feliz fiel firme flor franco fresa fresco fresno
        gentil girasol granate granito grato gris grosella haya helecho henna hiedra higo honesto
        humilde indigo jade jovial laurel lavanda leal ligero lila lima limpio lindo lirio listo loto
        lunar malva mango manzana marfil melon menta miel mimosa modesto mora musgo naranja nardo noble
        nogal nuevo oliva oro palma pardo perla pino plata platino pleno pomelo puro rico
        """,
        """
        abeja abejorro albatros alce alondra alpaca antilope ardilla asno avestruz ballena bisonte
        bonobo buey caballo cabra camello canario cangrejo canguro caracol carpa castor cebra ciervo
        cigala cigarra cisne cobaya cobra codorniz comadreja conejo cordero corzo cotorra coyote cuco
        cuervo dingo elefante erizo flamenco foca gacela galgo gallo gamo ganso garza gato gavilan
        gaviota gorila grillo grulla guepardo hamster hiena hormiga iguana impala jaguar jilguero jirafa
        koala lagarto lechuza lemur leopardo libelula liebre lince llama lobo loro mapache mariposa
        marmota marta medusa milano mirlo mochuelo mono morsa nutria ocelote orca oso oveja paloma panda
        pantera pato pavo pelicano perca perdiz perico petirrojo pez poni potro pulpo puma rana rape
        rata reno sapo sardina serpiente tapir ternero tigre topo toro tortuga trucha urraca vaca venado
        vencejo yak yegua zorro zorzal
        """,
        """
        acequia aldea alero almena altar ancla andamio anillo arco arroyo atalaya balsa banco barca
        barrio boca bodega bosque bote botella burbuja cadena caldero camino campana campo canal canoa
        cantera capilla carreta carta casa cascada castillo cerro cesta cima cometa concha copa corona
        corral costa cueva cumbre cuna desierto dique duna embalse ermita escalera escuela espejo
        estanque estrella faro farol feria flauta foso fragua fuente galeria glaciar golfo granero
        granja gruta guitarra hacha hilera hogar hoguera horno huerto iglesia isla lago laguna lampara
        letra libro llanura lluvia luna madera maleta mapa mar mercado mesa meseta mirador molino monte
        muelle muralla museo nave nido nube oasis orilla pajar palacio parque paseo patio piano piedra
        pista playa plaza portal pozo prado presa puente puerta puerto rampa refugio remo ribera roca
        rueda
        """,
    ),
}
_LISTS: Final = {language: tuple(words.split() for words in lists) for language, lists in _WORDS.items()}


def new_code(language: Language = "en") -> str:
    """Draw four words."""
    first, *others = _LISTS[language]
    drawn = [*secrets.SystemRandom().sample(first, 2), *map(secrets.choice, others)]
    return " ".join(drawn)


def tidy(typed: str) -> str:
    """Normalize a typed code: lower case, no accents, one space between words."""
    plain = unicodedata.normalize("NFKD", typed.casefold())
    return " ".join(re.findall(r"[a-z]+", re.sub(r"[\u0300-\u036f]", "", plain)))
