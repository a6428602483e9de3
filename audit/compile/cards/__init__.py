"""The cards as facts: one short file a protocol, declarations only."""

from audit.compile.cards.apathy import APATHY
from audit.compile.cards.assimilation import ASSIMILATION
from audit.compile.cards.chaos import CHAOS
from audit.compile.cards.clarity import CLARITY
from audit.compile.cards.corruption import CORRUPTION
from audit.compile.cards.courage import COURAGE
from audit.compile.cards.darkness import DARKNESS
from audit.compile.cards.death import DEATH
from audit.compile.cards.diversity import DIVERSITY
from audit.compile.cards.fear import FEAR
from audit.compile.cards.fire import FIRE
from audit.compile.cards.gravity import GRAVITY
from audit.compile.cards.hate import HATE
from audit.compile.cards.ice import ICE
from audit.compile.cards.life import LIFE
from audit.compile.cards.light import LIGHT
from audit.compile.cards.love import LOVE
from audit.compile.cards.luck import LUCK
from audit.compile.cards.metal import METAL
from audit.compile.cards.mirror import MIRROR
from audit.compile.cards.peace import PEACE
from audit.compile.cards.plague import PLAGUE
from audit.compile.cards.psychic import PSYCHIC
from audit.compile.cards.smoke import SMOKE
from audit.compile.cards.speed import SPEED
from audit.compile.cards.spirit import SPIRIT
from audit.compile.cards.time import TIME
from audit.compile.cards.unity import UNITY
from audit.compile.cards.war import WAR
from audit.compile.cards.water import WATER
from audit.compile.words import CardFacts, Protocol

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
