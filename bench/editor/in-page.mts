import type { Page } from 'playwright-core';

/**
 * Runs in every page and frame before its own scripts. Times are of the system's clock, in ms, which
 * all processes of the machine share. As text, because the project does not load the types of pages.
 */
export const inPage = `(() => {
  const stamp = () => performance.timeOrigin + performance.now();
  const watch = (look) => new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('It never came.')), 60_000);
    const seen = () => { if (!look()) return false; resolve(stamp()); return true; };
    if (seen()) return;
    const observer = new MutationObserver(() => { if (seen()) observer.disconnect(); });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  addEventListener('mouseup', () => { window.clickedAt = stamp(); }, true);
  window.rowShown = (view, texts) => watch(() => [...document.querySelectorAll('.pane')]
    .filter((pane) => pane.querySelector('.pane-header')?.getAttribute('aria-label')?.startsWith(view))
    .some((pane) => [...pane.querySelectorAll('.monaco-list-row')]
      .some((row) => texts.every((text) => row.textContent.includes(text)))));
  window.watchFrames = () => {
    const frames = (window.frames16 = []);
    let before = performance.now();
    const next = (now) => { frames.push(now - before); before = now; window.nextFrame = requestAnimationFrame(next); };
    window.nextFrame = requestAnimationFrame(next);
  };
  window.endFrames = () => { cancelAnimationFrame(window.nextFrame); return window.frames16; };
})()`;

/** When a row with all these texts is there, from the moment of the call. */
export async function rowShown(page: Page, view: string, ...texts: string[]): Promise<number> {
  return page.evaluate(`window.rowShown(${JSON.stringify(view)}, ${JSON.stringify(texts)})`);
}

/** When the mouse button was let go last. */
export async function clickedAt(page: Page): Promise<number> {
  return page.evaluate('window.clickedAt');
}

/** When the button of the form that is shown was there; looks again and again. */
export async function submitShown(page: Page): Promise<number> {
  const late = now() + 60_000;
  while (now() < late) {
    for (const frame of page.frames()) {
      const isThere: unknown = await frame.evaluate(submitIsThere).catch(() => false);
      if (isThere === true) return now();
    }
    await page.waitForTimeout(5);
  }
  throw new Error('The form never came.');
}

const submitIsThere = "document.querySelector('#submit') !== null";

/** Turns the wheel for a while over what lies under the pointer. Returns how long each frame took, in ms. */
export async function scroll(page: Page, steps: number): Promise<number[]> {
  await page.evaluate('window.watchFrames()');
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, step % 20 < 14 ? 2000 : -2000);
    await page.waitForTimeout(30);
  }
  return page.evaluate('window.endFrames()');
}

export function now(): number {
  return performance.timeOrigin + performance.now();
}
