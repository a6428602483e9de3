// Before the first paint: what the page looks like where scripts run. Nothing moves once they do.
document.documentElement.classList.add("with-script");
