import { request } from 'node:http';
import type { ConnectorType } from '@libs/domain';
import { BrokerError } from '../../control/broker-error.js';
import type { Address } from '../../gate/gate-upstream.js';

const TIMEOUT_MS = 5_000;
const LIMIT_BYTES = 1024 * 1024;

/** One enabled connector in the answer to `GET /stats`. The counts begin with the process. */
export interface ConnectorStat {
  key: string;
  connector_type: ConnectorType;
  status: string;
  messages_produced?: number;
  messages_sent?: number;
  messages_consumed?: number;
  messages_processed?: number;
  errors: number;
}

interface RuntimeStats {
  process_id: number;
  memory_usage: number;
  connectors: ConnectorStat[];
}

/** The runtime does not accept the configuration of a connector. */
export class RefusedConfiguration extends BrokerError {}

/** The HTTP API of iggy-connectors. All calls reject with BrokerError, or with the error of the connection. */
export class RuntimeApi {
  constructor(
    readonly at: Address,
    private readonly key: string,
  ) {}

  stats(): Promise<RuntimeStats> {
    return this.ask<RuntimeStats>('GET', '/stats');
  }

  /**
   * Restarts one connector with its newest configuration. Rejects with RefusedConfiguration, after which the connector does not run.
   * Also rejects when the runtime did not load it at its start.
   */
  async restart(type: ConnectorType, key: string): Promise<void> {
    await this.ask('POST', `/${type}s/${encodeURIComponent(key)}/restart`);
  }

  private ask<T>(method: string, path: string): Promise<T> {
    const options = { ...this.at, method, path, headers: { 'api-key': this.key, connection: 'close' }, agent: false };
    return new Promise((resolve, reject) => {
      const call = request(options, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > LIMIT_BYTES) call.destroy(new BrokerError('the answer of iggy-connectors is too large'));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          const [status, text] = [response.statusCode ?? 0, Buffer.concat(chunks).toString()];
          if (status >= 300) reject(refusalOf(`${method} ${path}`, status, text));
          else resolve((text === '' ? null : JSON.parse(text)) as T);
        });
      });
      const timer = setTimeout(
        () => call.destroy(new BrokerError('iggy-connectors did not answer in time')),
        TIMEOUT_MS,
      );
      call.on('close', () => clearTimeout(timer));
      call.on('error', reject);
      call.end();
    });
  }
}

function refusalOf(call: string, status: number, text: string): BrokerError {
  const isConfiguration = status === 400 && text.includes('"invalid_configuration"');
  const words = `iggy-connectors refused ${call}: ${status} ${text}`;
  return isConfiguration ? new RefusedConfiguration(words) : new BrokerError(words);
}
