"""Codes: three words by which friends find a table while it waits.

The words are short, easy to tell apart and harmless in every combination. There are 128 × 128 × 128 codes, about two
million. Few of them belong to a table at any time, and the rate limit allows few guesses.

>>> tidy("  Amber-Otter gate ")
'amber otter gate'
"""

import re
import secrets
from typing import Final

__all__ = ["new_code", "tidy"]

_WORDS: Final = (
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
)
_LISTS: Final = tuple(words.split() for words in _WORDS)


def new_code() -> str:
    """Draw three words."""
    return " ".join(secrets.choice(words) for words in _LISTS)


def tidy(typed: str) -> str:
    """Write a code that was typed as `new_code` does: lower case, one space between words."""
    return " ".join(re.findall(r"[a-z]+", typed.lower()))
