/** The part of autocannon that the tests use; the package has no types. */
declare module 'autocannon' {
  interface Sent {
    method: string;
    path: string;
    body?: string;
    setupRequest?: (request: Sent) => Sent;
    onResponse?: (status: number, body: string) => void;
  }

  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    headers: Record<string, string>;
    requests: Sent[];
  }

  interface Result {
    errors: number;
    timeouts: number;
    non2xx: number;
    '2xx': number;
    /** Milliseconds. */
    latency: { max: number };
  }

  /** `reqError`: a connection that failed, or a request without an answer in time. */
  interface Load extends Promise<Result> {
    stop(): void;
    on(event: 'reqError', listener: (error: Error) => void): void;
  }

  export default function autocannon(options: Options): Load;
}
