import type { Frame, Page } from 'playwright-core';
import { median } from '../harness/figures.mts';

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
  window.nextModel = () => new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('No text came.')), 60_000);
    const hear = ({ data }) => {
      if (data?.t !== 'model') return;
      removeEventListener('message', hear);
      resolve(stamp() - window.keyAt);
    };
    // Listeners from before a webview writes its document are gone with the one that it had.
    addEventListener('keydown', () => { window.keyAt = stamp(); }, { capture: true, once: true });
    addEventListener('message', hear);
  });
  window.suggested = (text) => {
    return watch(() => [...document.querySelectorAll('.suggest-widget.visible .monaco-list-row')]
      .some((row) => row.textContent.includes(text))).then((at) => at - window.pressedAt);
  };
  window.cardsShown = (steps) => watch(() => document.querySelectorAll('.steps .card .head')
    .length >= steps);
  addEventListener('keydown', () => { window.pressedAt = stamp(); }, true);
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

/** Turns the wheel for a while over what lies under the pointer, in the page or a frame of it. Returns how long each frame took, in ms. */
export async function scroll(
  page: Page,
  steps: number,
  frame: Page | Frame = page,
): Promise<number[]> {
  await frame.evaluate('window.watchFrames()');
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, step % 20 < 14 ? 2000 : -2000);
    await page.waitForTimeout(30);
  }
  return frame.evaluate('window.endFrames()');
}

/** Of one round of turning the wheel, in ms. */
export interface Frames {
  readonly median: number;
  readonly p99: number;
  readonly longest: number;
}

export function framesOf(frames: readonly number[]): Frames {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { median: median(sorted), p99: at(0.99), longest: at(1) };
}

export function now(): number {
  return performance.timeOrigin + performance.now();
}
