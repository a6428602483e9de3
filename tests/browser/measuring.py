"""What is measured on a page, in its own words: scripts that the browser runs."""

SIZES = ((1280, 800), (2560, 1440), (1366, 640), (768, 1024), (360, 740), (740, 360), (600, 371), (320, 480))
"""From a large screen to an embedded game: width and height."""

SMALLEST_WORD = """() => {
    let found = { size: 99, words: "" };
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const words = walk.currentNode.textContent.trim();
        const inside = walk.currentNode.parentElement;
        if (!words || !inside.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
        if (inside.closest("script, style, .live, .skip")) continue;
        const box = inside.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        let size = parseFloat(getComputedStyle(inside).fontSize);
        const svg = inside.closest("svg[viewBox]");
        if (svg) size *= svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
        if (size < found.size) found = { size, words };
    }
    return found;
}"""
"""The size of the smallest word that can be seen, and what it says."""

CUT_WORDS = """() => [...document.querySelectorAll(".stack > .acts .text:not(.none)")].flatMap((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const card = text.closest(".card");
    return [...range.getClientRects()].filter((line) => {
        const above = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2);
        const cut = text.scrollHeight > text.clientHeight + 1 && getComputedStyle(text).overflowY !== "visible";
        return cut || !card.contains(above) || line.right > card.getBoundingClientRect().right;
    }).map(() => text.textContent);
})"""
"""The texts of the card that acts of which a line is cut off or lies under something else."""

COVERED = """() => {
    const read = [".plate .value", ".lane.here .plate .name", ".lane.here .stack .head .name", ".hand .chip .name"];
    const words = [...document.querySelectorAll(read)];
    return words.filter((word) => word.checkVisibility({ visibilityProperty: true })).filter((word) => {
        if (!word.closest(".plate")) word.scrollIntoView({ block: "nearest" });
        const box = word.getBoundingClientRect();
        const isSeen = (across) => {
            const above = document.elementFromPoint(across, box.top + box.height / 2);
            return word.closest(".plate, .card").contains(above) || above.matches(".opens");
        };
        return ![box.left + 1, box.right - 1].every(isSeen) || word.scrollWidth > word.clientWidth + 1;
    }).map((word) => word.textContent);
}"""
"""What cannot be read of protocols and values, and of cards in the open line and in hands once they are scrolled to."""

TOO_WIDE = "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
"""Whether the page scrolls sideways."""
