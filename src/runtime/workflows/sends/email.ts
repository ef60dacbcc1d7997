import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sender } from './sends.ts';

export interface EmailOptions {
  /** `smtp://user:password@host:port`; empty: mails are kept as files. */
  readonly smtpUrl: string;
  readonly from: string;
  /** The recipient of mails that name none. */
  readonly to: string;
  /** Folder of the mails that are kept. */
  readonly folder: string;
}

/** `$.send.email`: through the SMTP server of the settings; without one the mail is kept as a file to look at. */
export function emailSender({ smtpUrl, from, to, folder }: EmailOptions): Sender<'email'> {
  return async (send, { n }) => {
    // A mail is rare, and the library large.
    const { createTransport } = await import('nodemailer');
    const mail = {
      from,
      to: send.to ?? to,
      subject: send.subject,
      ...(send.text !== undefined && { text: send.text }),
      ...(send.html !== undefined && { html: send.html }),
      ...(send.headers !== undefined && { headers: send.headers }),
    };
    if (smtpUrl === '') {
      const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(
        mail,
      );
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${n}.eml`);
      await writeFile(file, message as Buffer, { mode: 0o600 });
      return { file };
    }
    const transport = createTransport(smtpUrl);
    try {
      const { response, messageId, accepted } = await transport.sendMail(mail);
      return { response, message_id: messageId, accepted };
    } finally {
      transport.close();
    }
  };
}
