"use strict";
const people = document.querySelector("#people tbody");
const search = document.querySelector("#search");
const lost = document.querySelector("#lost");
const flagged = document.querySelector("#flagged");

function filter() {
  const words = search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of people.rows) {
    const text = row.textContent.toLocaleLowerCase();
    row.hidden =
      !words.every((word) => text.includes(word)) ||
      (lost.value !== "" && !row.querySelector(`[data-lost="${lost.value}"]`)) ||
      (flagged.checked && !("flagged" in row.dataset));
    shown += !row.hidden;
  }
  document.querySelector("#shown").textContent = `${shown} of ${people.rows.length} shown`;
}

function sort(header) {
  const rising = header.getAttribute("aria-sort") !== "ascending";
  for (const other of header.parentElement.cells) other.setAttribute("aria-sort", "none");
  header.setAttribute("aria-sort", rising ? "ascending" : "descending");
  const text = (row) => row.cells[header.cellIndex].textContent;
  const points = (row) => (text(row) === "–" ? -1 : Number(text(row))); // who was not graded stands below 0
  const compare = header.classList.contains("number")
    ? (a, b) => points(a) - points(b)
    : (a, b) => text(a).localeCompare(text(b), undefined, { numeric: true });
  people.append(...[...people.rows].sort((a, b) => (rising ? compare(a, b) : compare(b, a))));
}

// A4 within its margins, in CSS pixels: the whole width, or one of three columns
const PAPER = 690, COLUMN = 215;

function fit(paper) {
  for (const drawing of document.querySelectorAll(".js-plotly-plot")) {
    const width = drawing.closest(".grid") ? COLUMN : PAPER;
    Plotly.relayout(drawing, paper ? { autosize: false, width } : { autosize: true, width: null });
  }
}

document.querySelector("#filters").addEventListener("submit", (event) => event.preventDefault());
for (const control of [search, lost, flagged]) control.addEventListener("input", filter);
for (const button of document.querySelectorAll("#people thead button")) {
  button.addEventListener("click", () => sort(button.closest("th")));
}
window.addEventListener("beforeprint", () => fit(true));
window.addEventListener("afterprint", () => fit(false));
