import type { Page } from 'playwright-core';

/** What somebody without a mouse meets. */
export interface Walk {
  /** Controls that Tab never comes to. Of those that arrows walk, one is enough. */
  readonly missed: readonly string[];
  /** Stops that do not show that they have the focus. */
  readonly unseen: readonly string[];
}

interface Stop {
  readonly isNew: boolean;
  readonly isSeen: boolean;
  readonly name: string;
}

/** Goes through a page with Tab alone, from its start until it comes round. */
export async function walk(page: Page): Promise<Walk> {
  await page.evaluate(() => {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  const unseen: string[] = [];
  for (let turns = 0; turns < 2;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(standHere);
    if (!stop.isNew) turns += 1;
    if (!stop.isSeen) unseen.push(stop.name);
  }
  return { missed: await page.evaluate(notReached), unseen };
}

/** Runs in the page: marks what has the focus, and looks whether it shows. */
function standHere(): Stop {
  const active = document.activeElement;
  const canBeUsed = active instanceof HTMLElement || active instanceof SVGElement;
  if (!canBeUsed || active === document.body) {
    return { isNew: false, isSeen: true, name: 'body' };
  }
  const isNew = !active.hasAttribute('data-reached');
  active.setAttribute('data-reached', '');
  const { outlineStyle, outlineWidth } = getComputedStyle(active);
  const isSeen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  return { isNew, isSeen, name: active.outerHTML };
}

/** Runs in the page: every control that can be seen and used, and was not marked. */
function notReached(): string[] {
  const controls = document.querySelectorAll<HTMLElement | SVGElement>(
    'a[href], button, input, select, textarea, summary, [role=treeitem], [tabindex="0"]',
  );
  const isReached = (one: Element | null): boolean => one?.hasAttribute('data-reached') === true;
  const missed = [...controls].filter((control) => {
    if (!control.checkVisibility() || control.closest('[inert]') !== null) return false;
    if (control.matches(':disabled')) return false;
    if (control instanceof HTMLInputElement && control.type === 'radio') {
      return ![...document.getElementsByName(control.name)].some(isReached);
    }
    const tree = control.closest('[role=tree]');
    if (tree !== null) return ![...tree.children].some(isReached);
    return !isReached(control);
  });
  return missed.map((control) => control.outerHTML);
}
