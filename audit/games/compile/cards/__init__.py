"""The cards as facts: one short file a protocol, declarations only."""

from audit.games.compile.cards.apathy import APATHY
from audit.games.compile.cards.assimilation import ASSIMILATION
from audit.games.compile.cards.chaos import CHAOS
from audit.games.compile.cards.clarity import CLARITY
from audit.games.compile.cards.corruption import CORRUPTION
from audit.games.compile.cards.courage import COURAGE
from audit.games.compile.cards.darkness import DARKNESS
from audit.games.compile.cards.death import DEATH
from audit.games.compile.cards.diversity import DIVERSITY
from audit.games.compile.cards.fear import FEAR
from audit.games.compile.cards.fire import FIRE
from audit.games.compile.cards.gravity import GRAVITY
from audit.games.compile.cards.hate import HATE
from audit.games.compile.cards.ice import ICE
from audit.games.compile.cards.life import LIFE
from audit.games.compile.cards.light import LIGHT
from audit.games.compile.cards.love import LOVE
from audit.games.compile.cards.luck import LUCK
from audit.games.compile.cards.metal import METAL
from audit.games.compile.cards.mirror import MIRROR
from audit.games.compile.cards.peace import PEACE
from audit.games.compile.cards.plague import PLAGUE
from audit.games.compile.cards.psychic import PSYCHIC
from audit.games.compile.cards.smoke import SMOKE
from audit.games.compile.cards.speed import SPEED
from audit.games.compile.cards.spirit import SPIRIT
from audit.games.compile.cards.time import TIME
from audit.games.compile.cards.unity import UNITY
from audit.games.compile.cards.war import WAR
from audit.games.compile.cards.water import WATER
from audit.games.compile.declarations import CardFacts, Protocol

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        DARKNESS,
        DEATH,
        FIRE,
        GRAVITY,
        LIFE,
        LIGHT,
        METAL,
        PLAGUE,
        PSYCHIC,
        SPEED,
        SPIRIT,
        WATER,
        APATHY,
        HATE,
        LOVE,
        CHAOS,
        CLARITY,
        CORRUPTION,
        COURAGE,
        FEAR,
        ICE,
        LUCK,
        MIRROR,
        PEACE,
        SMOKE,
        TIME,
        WAR,
        ASSIMILATION,
        DIVERSITY,
        UNITY,
    )
}

CARDS: dict[str, CardFacts] = {card.id: card for protocol in PROTOCOLS.values() for card in protocol.cards}
