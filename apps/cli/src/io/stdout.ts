import { OutputClosed } from '../failure.ts';
import { safeJson } from '../terminal/safe.ts';

/** Where data goes: text in pieces, waiting when the reader is slow. */
export interface DataOutput {
  readonly isTerminal: boolean;
  /** Columns of the terminal; 80 where there is none. */
  readonly columns: number;
  /** Rejects with {@link OutputClosed} once the reader has gone. */
  write(text: string | Uint8Array): Promise<void>;
  /** JSON text; on a terminal, characters that could steer it are written as escapes, which mean the same. */
  writeJson(text: string): Promise<void>;
}

/** Standard output as a {@link DataOutput}: a reader that closes early (`| head`) is no error, only the end. */
export function standardOutput(stream: NodeJS.WriteStream = process.stdout): DataOutput {
  let closed = false;
  let failure: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') closed = true;
    else failure = error;
  });
  const write = (text: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new OutputClosed());
      if (failure !== undefined) return reject(failure);
      stream.write(text, (error) => {
        if (error === null || error === undefined) return resolve();
        const code = (error as NodeJS.ErrnoException).code;
        reject(code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' ? new OutputClosed() : error);
      });
    });
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    get columns() {
      return isTerminal ? (stream.columns ?? 80) : 80;
    },
    write,
    writeJson: (text) => write(isTerminal ? safeJson(text) : text),
  };
}
