/** `AGENTS.md`: what an agent that works on components and workflows has to know of Weir (pure). */

const heading = '## Weir';

const section = `${heading}

Event sources, actions and workflows of this folder are written for Pipedream's component API and run on this machine with Weir.
Nothing needs an account or the network, but for what the code itself calls.

**Write.** A component is a module with a default export: \`key\`, \`version\`, \`type\` (\`source\` or \`action\`), \`props\` and \`run\`.
\`weir init source "New orders" --http\`, \`weir init action "Post a message"\` and \`weir init workflow "Order received"\` write one that works.
A workflow is a folder with \`workflow.yaml\` and a folder for the code of each step. In \`{{ }}\` it reads \`steps\`, \`event\` and \`process.env\`.

**Run.**
- \`weir serve\` runs the runtime in the foreground. Other commands need it, or an open editor; \`dev\`, \`import\`, \`test\` and \`agents\` start one.
- \`weir run FILE --prop text=Hello\` runs an action once, for real; \`weir run FOLDER\` runs the files of a workflow as a dry run:
  nothing leaves the machine, and requests are answered from \`--execution exec_1\`. With \`--real\` steps send and write.
- \`weir dev FILE\` deploys a source or workflow and updates it at each save; \`weir deploy FILE\` deploys it once.
- \`weir invoke NAME --event '{"id": 7}'\` runs what is deployed with an event. \`--json\` after any command prints JSON.

**Look.** \`weir events NAME\`, \`weir logs NAME\`, \`weir executions NAME\`, \`weir execution exec_1\`. When something was dropped or failed, the reason stands there.
\`weir doctor\` says what is wrong with the machine's side.

**Test.** \`weir save-test exec_1 --name "two items"\` writes \`tests/two-items.test.yaml\` beside \`workflow.yaml\`; \`weir test\` runs all tests and ends with 1 when
one fails. Run it before you say that something works. The HTTP requests of the execution are recorded in the \`.har\` beside the test and answered from there.

**Debug.** \`weir dev FILE --inspect\` lets a debugger attach. In VS Code F5 stops at breakpoints. \`weir replay NAME --failed --from-failed\` tries again what failed.

**Take care.**
- Secrets belong in \`weir env set NAME\` and in accounts (\`weir accounts connect APP\`), never into code, \`workflow.yaml\` or tests.
- Do not edit \`.weir\`, the data folder.
- \`weir run FILE\`, \`weir invoke\`, \`weir replay\` without \`--on-files\`, and everything with \`--real\` send the requests of the code and write data stores for real. \`weir delete\` takes events along. Ask before.

**Tools.** \`weir mcp\` gives the same as tools of the Model Context Protocol, and so does VS Code with Weir, where their names begin with \`weir_\`:
\`write_component\` and \`read_component\` for the file, \`inspect_component\`, \`deploy_source\`, \`run\`, \`list_events\`, \`list_logs\`, \`explain_drop\` for why an
event is missing, \`save_test\` and \`run_test\`. Actions that the user offers are tools by their own names, and a dry run until the user says otherwise.
`;

/**
 * The text with the section about Weir at its end.
 * @param existing undefined where there is no file
 * @returns undefined when the section is there already
 */
export function withAgentsSection(existing: string | undefined): string | undefined {
  if (existing === undefined || existing.trim() === '')
    return `# Working in this folder\n\n${section}`;
  if (existing.split(/\r?\n/).some((line) => line.trim() === heading)) return undefined;
  return `${existing.trimEnd()}\n\n${section}`;
}
