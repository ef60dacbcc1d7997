/** The header by which an endpoint's answer names the run of its request, such as `inv_12`, of a workflow `exec_12` (P7.50). */
export const invocationHeader = 'x-weir-invocation';
