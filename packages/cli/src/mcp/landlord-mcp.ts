import { withoutLogins, type Landlord } from '@landlord/sdk';
import { VERSION } from '../generated/mcp-schemas.js';
import { usage } from '../exit.js';
import { tell } from '../output/output.js';
import { cell } from '../output/table.js';
import { contextOf } from '../settings/contexts.js';
import { Places } from '../settings/places.js';
import { openSession, type CommonOptions } from '../settings/session.js';
import { visible } from './results.js';
import { rightsOf, toolsFor } from './rights.js';
import { serve } from './server.js';
import { WRITE_GROUPS, type ToolCall, type WriteGroup } from './tool.js';
import { nextStep } from './tool-errors.js';
import type { WriteToolName } from './write-tools.js';

/** A client of the protocol gives a call about a minute. */
const PATIENCE_MS = 20_000;

export interface McpOptions extends CommonOptions {
  /** True: all groups. */
  allowWrites?: string | true;
}

/** Serves the tools until stdin ends. stdout has nothing but the protocol. @throws CommandError without a key */
export async function landlordMcp(options: McpOptions): Promise<void> {
  const groups = groupsOf(options.allowWrites);
  const { landlord } = openSession(options, { patienceMs: PATIENCE_MS });
  const url = withoutLogins(options.url ?? contextOf(options.context).context.url);
  const rights = new Rights(landlord, groups);
  void rights.announce(url);
  await serve({
    version: VERSION,
    callFor: (signal) => ({ landlord, url, places: new Places(landlord, {}), options: { signal } }),
    whoami: (call) => whoami(call, rights),
    writeTools: () => rights.tools(),
    onWrite: (name, { deployment }) =>
      // In one line, so that a model cannot write another report.
      tell(
        `landlord mcp: the client calls ${name}${typeof deployment === 'string' ? ` for ${cell(visible(deployment))}` : ''}.`,
      ),
  });
}

/** @throws CommandError for an unknown group */
function groupsOf(given: string | true | undefined): WriteGroup[] {
  if (given === undefined) return [];
  if (given === true) return [...WRITE_GROUPS];
  const names = given.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(WRITE_GROUPS as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw usage(`There is no group of tools ${unknown.join(', ')}.`, `of ${WRITE_GROUPS.join(', ')}`);
  return WRITE_GROUPS.filter((group) => names.includes(group));
}

/** What the key may change. The API is asked once, and again only after a failure. */
class Rights {
  private known: Promise<Set<string>> | null = null;

  constructor(
    private readonly landlord: Landlord,
    private readonly groups: readonly WriteGroup[],
  ) {}

  /** @throws LandlordError */
  all(): Promise<Set<string>> {
    this.known ??= rightsOf(this.landlord);
    this.known.catch(() => (this.known = null));
    return this.known;
  }

  /** None while the API does not say what the key may do. */
  async tools(): Promise<WriteToolName[]> {
    if (this.groups.length === 0) return [];
    const rights = await this.all().catch(() => new Set<string>());
    return toolsFor(this.groups, rights);
  }

  /** Reports on stderr what the key could do with this server, and without it. */
  async announce(url: string): Promise<void> {
    try {
      const rights = [...(await this.all())];
      const tools = await this.tools();
      tell(`landlord mcp: serves ${visible(url)} on stdin and stdout.`);
      if (rights.length === 0) tell('landlord mcp: the key can change nothing.');
      else tell(`landlord mcp: the key can change things, although tools may not: ${rights.join(', ')}.`);
      if (tools.length > 0) tell(`landlord mcp: offers tools that change things: ${tools.join(', ')}.`);
      else
        tell(
          `landlord mcp: offers only tools that read${this.groups.length > 0 ? ', because the key has no right for others' : ''}.`,
        );
    } catch (error) {
      tell(`landlord mcp: ${visible((error as Error).message)}`);
      tell(`landlord mcp: no tool that changes things is offered. ${nextStep(error)}`);
    }
  }
}

async function whoami({ landlord, url, options }: ToolCall, rights: Rights): Promise<object> {
  const [tenant, key, all] = await Promise.all([
    landlord.tenants.getStructure({}, options),
    landlord.apiKeys.getContext({}, options),
    rights.all(),
  ]);
  return { server: url, tenant, key, rights_to_change: [...all], write_tools: await rights.tools() };
}
