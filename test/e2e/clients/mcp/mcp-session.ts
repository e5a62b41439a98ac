import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { CommandLine } from '../command-line.js';

/** The official client, connected to a process of `landlord mcp`. The client checks each result against the output schema. */
export class McpSession {
  private readonly client = new Client({ name: 'test', version: '1' });
  private errors = '';

  private constructor(private readonly transport: StdioClientTransport) {
    transport.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  static async open(person: CommandLine, ...words: string[]): Promise<McpSession> {
    const { command, args, env, cwd } = person.program('mcp', ...words);
    const session = new McpSession(new StdioClientTransport({ command, args, env, cwd, stderr: 'pipe' }));
    await session.client.connect(session.transport);
    return session;
  }

  /** What the process has written on stderr. */
  get stderr(): string {
    return this.errors;
  }

  async tools(): Promise<Tool[]> {
    return (await this.client.listTools()).tools;
  }

  async names(): Promise<string[]> {
    return (await this.tools()).map(({ name }) => name);
  }

  /** The whole result, also of a failed call. */
  call(name: string, given: object = {}): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: { ...given } }) as Promise<CallToolResult>;
  }

  /** The data of a successful call. */
  async data<T = Record<string, any>>(name: string, given: object = {}): Promise<T> {
    const result = await this.call(name, given);
    if (result.isError) throw new TypeError(`${name}: ${textOf(result)}`);
    return (result.structuredContent as { data: T }).data;
  }

  /** The text of a call that must fail. */
  async failure(name: string, given: object = {}): Promise<string> {
    const result = await this.call(name, given);
    if (!result.isError) throw new TypeError(`${name} did not fail: ${textOf(result)}`);
    return textOf(result);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
