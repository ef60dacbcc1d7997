// The least a process has to do to run a component: import it, and say so.
import { pathToFileURL } from 'node:url';

await import(pathToFileURL(process.argv[2]).href);
process.send('loaded');
