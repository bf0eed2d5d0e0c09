import { createServer, type IncomingMessage, type Server } from 'node:http';
import { inspect } from 'node:util';
import type * as LanceDb from '@lancedb/lancedb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore, StoreError } from '../src/index.ts';
import { connectLance } from '../src/lance/connect.ts';
import { type Lance, loadLance } from '../src/lance/load-lance.ts';

// s3:// and gs:// have no emulator that two writers do not corrupt: what is tested is that the options arrive, at LanceDB and in the requests it
// makes. az:// is tested against Azurite (azure.test.ts).

/** A server that says that nothing is there, and remembers what it was asked. */
let server: Server;
let endpoint = '';
let status = 200;
const requests: IncomingMessage[] = [];
const EMPTY =
  '<?xml version="1.0"?><ListBucketResult><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>';
const NO_BUCKET =
  '<?xml version="1.0"?><Error><Code>NoSuchBucket</Code><Message>The specified bucket does not exist</Message></Error>';

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    response.statusCode = status;
    response.setHeader('content-type', 'application/xml');
    response.end(status === 200 ? EMPTY : status === 404 ? NO_BUCKET : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => {
  server.close();
});

async function failureOf(uri: string, storageOptions: Record<string, string>): Promise<StoreError> {
  requests.length = 0;
  return await openStore(uri, { storageOptions }).then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error: unknown) => {
      if (error instanceof StoreError) return error;
      throw error;
    },
  );
}

const s3 = () => ({
  aws_access_key_id: 'AKIDEXAMPLE',
  aws_secret_access_key: 'a-secret-nobody-may-see',
  aws_session_token: 'a-token-nobody-may-see',
  aws_region: 'moon-1',
  aws_endpoint: endpoint,
  allow_http: 'true',
  client_max_retries: '0',
});

describe('options of an object store', () => {
  test.each([
    ['s3://bucket/team/store', { aws_region: 'moon-1', aws_secret_access_key: 'x', anything_else: '1' }],
    ['gs://bucket/team/store', { google_service_account: '/key.json' }],
    ['az://container/team/store', { account_name: 'a', account_key: 'k' }],
  ])('%s: they reach LanceDB as they are, and nothing is added to the URI', async (uri, storageOptions) => {
    const calls: unknown[][] = [];
    const connect = async (...args: unknown[]) => {
      calls.push(args);
      return {} as LanceDb.Connection;
    };
    const lance = loadLance();
    await connectLance(
      { ...lance, lancedb: { ...lance.lancedb, connect } as unknown as Lance['lancedb'] },
      {
        uri,
        storageOptions,
      },
    );
    expect(calls).toEqual([[uri, expect.objectContaining({ storageOptions })]]);
  });

  test('s3://: endpoint, region, key and token are in the requests; there is no store', async () => {
    const error = await failureOf('s3://bucket/team/store', s3());
    expect(error.code).toBe('store/not-found');
    expect(requests[0]?.url).toMatch(/^\/bucket\?.*prefix=team%2Fstore%2Fruns\.lance/);
    expect(requests[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/moon-1\/s3\/aws4_request/,
    );
    expect(requests[0]?.headers['x-amz-security-token']).toBe('a-token-nobody-may-see');
  });

  test('gs://: so are those of a service account', async () => {
    // Vitest sets it, and Lance takes it for that of Google's storage.
    delete process.env.BASE_URL;
    const account = {
      gcs_base_url: endpoint,
      disable_oauth: true,
      client_email: '',
      private_key: '',
      private_key_id: '',
    };
    status = 404;
    const error = await failureOf('gs://bucket/team/store', {
      google_service_account_key: JSON.stringify(account),
      allow_http: 'true',
      client_max_retries: '0',
    });
    status = 200;
    expect([error.code, error.message]).toEqual(['store/not-found', expect.stringContaining('bucket')]);
    expect(requests[0]?.url).toMatch(/^\/bucket\?.*prefix=team%2Fstore%2Fruns\.lance/);
  });

  test('a bucket that does not exist: store/not-found', async () => {
    status = 404;
    const error = await failureOf('s3://bucket/team/store', s3());
    status = 200;
    expect([error.code, error.message]).toEqual(['store/not-found', expect.stringContaining('bucket')]);
  });
});

describe('what is wrong with the way to a store is not said of its files', () => {
  test('a service that fails, or answers nothing: store/unreachable', async () => {
    status = 503;
    const failed = await failureOf('s3://bucket/team/store', s3());
    status = 200;
    expect([failed.code, failed.message]).toEqual([
      'store/unreachable',
      expect.stringMatching(/could not be reached, or did not answer as it should .*503/),
    ]);
    const silent = await failureOf('s3://bucket/team/store', { ...s3(), aws_endpoint: 'http://127.0.0.1:9' });
    expect(silent.code).toBe('store/unreachable');
  });

  test('a key that is none: store/bad-options, and it is not shown', async () => {
    const error = await failureOf('az://container/store', { account_name: 'a', account_key: 'no-base64' });
    expect([error.code, error.message]).toEqual([
      'store/bad-options',
      expect.not.stringContaining('no-base64'),
    ]);
  });
});

describe('credentials are shown nowhere', () => {
  const SECRETS = [
    'a-secret-nobody-may-see',
    'a-token-nobody-may-see',
    'pass%40word',
    'signed%2Babc',
    'env-secret-123',
  ];

  test('not in the message, the cause or the stack of an error, wherever they came from', async () => {
    process.env.AWS_SECRET_ACCESS_KEY = 'env-secret-123';
    try {
      for (const uri of [
        's3://user:pass%40word@bucket/team/store',
        's3://bucket/team/store?sig=signed%2Babc&se=2026',
      ]) {
        // The endpoint is in the failure of LanceDB: what is in it must go, too.
        const options = {
          ...s3(),
          aws_endpoint: 'http://127.0.0.1:1/env-secret-123/a-secret-nobody-may-see',
        };
        const error = await failureOf(uri, options);
        const shown = [
          inspect(error, { depth: 9 }),
          error.message,
          error.stack,
          JSON.stringify(error),
          String(error.cause),
        ];
        for (const secret of SECRETS) for (const text of shown) expect(text ?? '').not.toContain(secret);
        expect(error.message).toMatch(/s3:\/\/(\*\*\*@)?bucket\/team\/store/);
      }
    } finally {
      delete process.env.AWS_SECRET_ACCESS_KEY;
    }
  });
});
