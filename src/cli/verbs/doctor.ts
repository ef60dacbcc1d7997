import type { Verb } from '../cli.ts';
import type { Check } from '../doctor/check.ts';
import { checkDataFolder, checkKey } from '../doctor/files.ts';
import { checkPort } from '../doctor/port.ts';
import { checkEsbuild, checkNode, checkNpm, checkRuntime } from '../doctor/programs.ts';
import { checkStore } from '../doctor/store.ts';

export const doctor: Verb = (program, cli) => {
  program
    .command('doctor')
    .description('Check data folder, store, key, runtime, port and programs, and say what to do')
    .action(async (_flags: object, command) => {
      await cli.run(command, async ({ dataFolder, io, out }) => {
        const looks = await Promise.all([
          checkDataFolder(dataFolder),
          checkStore(dataFolder),
          checkKey(io.env),
          checkRuntime(dataFolder),
          checkPort(dataFolder),
          checkEsbuild(),
          checkNpm(io.env),
        ]);
        const checks = [...looks, checkNode(process.versions.node)];
        out.answer(checks, () => checks.map(checkText).join('\n'));
        return checks.some(({ state }) => state === 'bad') ? 1 : 0;
      });
    });
};

function checkText({ name, state, found, advice }: Check): string {
  const line = `${state.padEnd(8)} ${name}: ${found}`;
  return advice === undefined ? line : `${line}\n         ${advice}`;
}
