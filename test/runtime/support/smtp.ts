/** A real SMTP server on this machine, gone at the end of the test. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { atEndOfTest } from '../../support/at-end.ts';

export interface MailServer {
  /** Messages that it has taken, whole. */
  readonly mails: string[];
  /** Arguments of `weir serve`: mails go through it, to me@example.org. */
  readonly settings: readonly string[];
}

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  atEndOfTest(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  );
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    settings: ['--set', `smtp.url=smtp://127.0.0.1:${port}`, '--set', 'smtp.to=me@example.org'],
  };
}
