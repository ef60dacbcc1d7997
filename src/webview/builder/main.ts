import { render } from 'lit-html';
import { connectHost } from '../shared/vscode-api.ts';
import { createBuilder } from './builder-page.ts';
import type { HostMessage, PageMessage, PageState } from './messages.ts';
import { builderView } from './view.ts';
import '../prop-form/form.css';
import '../shared/json-tree.css';
import './builder.css';

const host = connectHost<HostMessage, PageMessage, PageState>();
let isScheduled = false;
const builder = createBuilder(host, () => {
  if (isScheduled) return;
  isScheduled = true;
  queueMicrotask(() => {
    isScheduled = false;
    render(builderView(builder), document.body);
  });
});
host.listen((message) => builder.receive(message));
builder.show();
host.post({ t: 'ready' });
