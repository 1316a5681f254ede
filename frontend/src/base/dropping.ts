/** Files that are dropped anywhere on a page with a field for them land in that field; else the browser would open them. */

function hasFiles(event: DragEvent): boolean {
  return [...(event.dataTransfer?.types ?? [])].includes("Files");
}

export function takeDrops(page: Document): void {
  const field = page.querySelector<HTMLInputElement>("input[type=file][data-drop]");
  if (!field) return;
  page.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    field.dataset["drop"] = "over";
  });
  page.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) field.dataset["drop"] = "";
  });
  page.addEventListener("drop", (event) => {
    const files = event.dataTransfer?.files;
    field.dataset["drop"] = "";
    if (!files?.length) return;
    event.preventDefault();
    field.files = files;
  });
}
