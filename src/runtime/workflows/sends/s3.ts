import { limitedText } from '../../base/limited-answer.ts';
import type { Sender } from './sends.ts';
import type { BaseServices } from '../../base/services.ts';

export interface S3Options extends Pick<BaseServices, 'now'> {
  /** Address of an S3-compatible server; empty: Amazon's of the account's region. */
  readonly endpoint: string;
  /** `$auth` of the only account of the app `aws`; undefined without one. */
  readonly credentials: () => Readonly<Record<string, unknown>> | undefined;
}

/** `$.send.s3`: one object a call, under the prefix, the day and the number of the send. */
export function s3Sender({ endpoint, credentials, now }: S3Options): Sender<'s3'> {
  return async ({ bucket, prefix, payload }, { n }) => {
    const auth = credentials();
    if (auth === undefined) {
      throw new Error(
        '$.send.s3 needs an account of the app "aws" with accessKeyId and secretAccessKey: connect one with "weir accounts add aws".',
      );
    }
    const region = text(auth['region']) ?? 'us-east-1';
    const { AwsClient } = await import('aws4fetch');
    const client = new AwsClient({
      accessKeyId: text(auth['accessKeyId']) ?? text(auth['access_key_id']) ?? '',
      secretAccessKey: text(auth['secretAccessKey']) ?? text(auth['secret_access_key']) ?? '',
      region,
      service: 's3',
      retries: 0,
    });
    const base =
      endpoint === '' ? `https://s3.${region}.amazonaws.com` : endpoint.replace(/\/$/, '');
    const day = new Date(now()).toISOString().slice(0, 10).replaceAll('-', '/');
    const key = `${prefix === '' ? '' : `${prefix.replaceAll(/^\/|\/$/g, '')}/`}${day}/${n}.json`;
    const url = `${base}/${encodeURIComponent(bucket)}/${key.split('/').map(encodeURIComponent).join('/')}`;
    const response = await client.fetch(url, {
      method: 'PUT',
      body: payload,
      headers: { 'content-type': 'application/json' },
    });
    if (!response.ok) {
      throw new Error(
        `The server answered ${response.status}: ${(await limitedText(response, 2000)).text.slice(0, 500)}`,
      );
    }
    return { bucket, key, etag: response.headers.get('etag') };
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
