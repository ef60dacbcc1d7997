/**
 * Which calls of node-calls.ts this version understands. Raise it whenever those change in a way that a node of the version
 * before would misread, or cannot do without: nodes whose numbers differ tell each other only that.
 *
 * `meet` has to stay as it is, and so do the key of the channel and greetings, by which nodes of other versions say so
 * and pass connections on.
 */
export const nodeProtocol = 1;
