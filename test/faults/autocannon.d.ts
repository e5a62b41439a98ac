/** The part of autocannon that the stories use; the package carries no types. */
declare module 'autocannon' {
  interface Sent {
    method: string;
    path: string;
    body?: string;
    setupRequest?: (request: Sent) => Sent;
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

  export default function autocannon(options: Options): Promise<Result> & { stop(): void };
}
