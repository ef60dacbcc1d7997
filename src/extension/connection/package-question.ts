import * as vscode from 'vscode';

const approvedKey = 'packages.approved';

/** Asks once per workspace whether npm packages may be installed; a yes is remembered. */
export class PackageQuestion {
  readonly #memory: vscode.Memento;
  /** Calls at the same time share one question. */
  #asking: Promise<boolean> | undefined;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  async approve(packages: readonly string[]): Promise<boolean> {
    if (this.#memory.get(approvedKey) === true) return true;
    this.#asking ??= this.#ask(packages).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(packages: readonly string[]): Promise<boolean> {
    const [only, another] = packages;
    const what = another === undefined ? (only ?? 'a package') : `${packages.length} packages`;
    const list = another === undefined ? '' : `${packages.join(', ')}\n\n`;
    const goes = another === undefined ? 'It goes' : 'They go';
    const yes = 'Install';
    const chosen = await vscode.window.showInformationMessage(
      `This component needs ${what} from npm. Install?`,
      {
        modal: true,
        detail: `${list}${goes} into the folder .weir, and no install script runs. You are asked once in this workspace; see the setting weir.packages.install.`,
      },
      yes,
    );
    if (chosen !== yes) return false;
    await this.#memory.update(approvedKey, true);
    return true;
  }
}
