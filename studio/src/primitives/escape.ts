// Escape closes the drawer, dialog or menu on top also while nothing has the focus: an element that had it may just have gone, as a button does
// that is no longer needed. Overlays listen to keys within themselves only, and take the focus back a frame later.

const overlays = '.overlay, .popover';

export function listenForEscape(): void {
  document.addEventListener('keydown', (event) => {
    const isNowhere = event.target === document.body || event.target === document.documentElement;
    if (event.key !== 'Escape' || !isNowhere) return;
    const top = findTop();
    if (top === undefined) return;
    event.preventDefault();
    // From within it, so that it is heard as any other key.
    top.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', code: 'Escape', bubbles: true, cancelable: true }));
  });
}

/** Each is appended to the page when it opens. */
function findTop(): Element | undefined {
  const top = [...document.querySelectorAll(overlays)].at(-1);
  return top?.firstElementChild ?? top;
}
