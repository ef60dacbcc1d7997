/** Run by the framework's own CLI, which has parsed the body by its content type. */
const events = [];

export function record(request, response) {
  events.push(request.body);
  response.status(200).end();
}
