interface Item {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
}

/** Somebody in front of the window: answers what is asked, and hears what is said. */
export class Person {
  /** Every question and message, in order. */
  readonly heard: string[] = [];
  clipboard = '';
  /** The rows of the last list. */
  offered: readonly Item[] = [];
  readonly #answers: (string | undefined)[] = [];

  /** The next answers: a text to type, a row's label or a part of it, a button. Without one the person leaves. */
  will(...answers: (string | undefined)[]): void {
    this.#answers.push(...answers);
  }

  pick<T extends Item>(items: readonly T[], title = ''): T | undefined {
    this.heard.push(title);
    this.offered = items;
    const answer = this.#answers.shift();
    if (answer === undefined) return undefined;
    const found =
      items.find(({ label }) => label === answer) ??
      items.find(({ label }) => label.includes(answer));
    if (found !== undefined) return found;
    throw new Error(`${title}: no ${answer} among ${items.map(({ label }) => label).join(', ')}`);
  }

  /** What is typed has to be accepted. */
  type(title = '', problemOf?: (text: string) => string | undefined): string | undefined {
    this.heard.push(title);
    const answer = this.#answers.shift();
    const problem = answer === undefined ? undefined : problemOf?.(answer);
    if (problem !== undefined) throw new Error(`${title}: ${problem}`);
    return answer;
  }

  /** Whether there is an answer to give. */
  get isThere(): boolean {
    return this.#answers.length > 0;
  }

  /** The button that is pressed before the answer is given. @param tooltips of those that are shown */
  press(tooltips: readonly string[]): string | undefined {
    const [answer] = this.#answers;
    if (answer === undefined || !tooltips.includes(answer)) return undefined;
    return this.#answers.shift();
  }

  choose(message: string, buttons: readonly string[]): string | undefined {
    this.heard.push(message);
    if (buttons.length === 0) return undefined;
    const answer = this.#answers.shift();
    if (answer === undefined || buttons.includes(answer)) return answer;
    throw new Error(`${message}: no ${answer} among ${buttons.join(', ')}`);
  }
}
