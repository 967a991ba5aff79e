// followMenu keeps the menu open beside a wide page and closed above a narrow one, and marks in it
// where the reader is.
export function followMenu() {
  const menu = document.getElementById("menu"), wide = matchMedia("(min-width: 68rem)");
  const fit = () => { menu.open = wide.matches; };
  wide.addEventListener("change", fit);
  fit();
  menu.addEventListener("click", e => { if (e.target.closest("a") && !wide.matches) menu.open = false; });
  document.addEventListener("keydown", e => { if (e.key === "Escape" && !wide.matches) menu.open = false; });

  const links = new Map([...menu.querySelectorAll("a")].map(a => [a.hash.slice(1), a]));
  const seen = new Set();
  const watch = new IntersectionObserver(entries => {
    for (const e of entries) seen[e.isIntersecting ? "add" : "delete"](e.target.id);
    const here = [...links.keys()].findLast(id => seen.has(id)); // a claim, rather than the part it stands in
    for (const [id, a] of links) {
      if (id !== here) a.removeAttribute("aria-current");
      else if (a.getAttribute("aria-current") === null) a.setAttribute("aria-current", "location");
    }
    const at = links.get(here);
    if (at && wide.matches && (at.offsetTop < menu.scrollTop || at.offsetTop + at.offsetHeight > menu.scrollTop + menu.clientHeight))
      menu.scrollTop = at.offsetTop - menu.clientHeight / 3;
  }, { rootMargin: "-10% 0px -80% 0px" });
  for (const id of links.keys()) {
    const there = document.getElementById(id);
    if (there) watch.observe(there);
  }
}
