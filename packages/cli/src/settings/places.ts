import type { Landlord, Main } from '@landlord/sdk';
import { CommandError, EXIT, usage } from '../exit.js';

/** Names or ids of levels. */
export interface PlaceNames {
  tenant?: string | undefined;
  division?: string | undefined;
  environment?: string | undefined;
  deployment?: string | undefined;
}

/** Ids of levels, as members of requests. */
export interface PlaceIds {
  division_id?: number;
  environment_id?: number;
  deployment_id?: number;
}

export type Level = 'division' | 'environment' | 'deployment';
/** One place of the tree. The deepest level that it has decides what it is. */
interface Place extends PlaceIds {
  names: Partial<Record<Level, string>>;
  code?: string;
}

const LEVELS: readonly Level[] = ['division', 'environment', 'deployment'];
const aboveOf = (level: Level): readonly Level[] => LEVELS.slice(0, LEVELS.indexOf(level));

/** Finds levels by their names in the tree of the organization, which is read once. */
export class Places {
  private tree: Promise<Main.StructureView> | null = null;

  /**
   * @param named what the person names in this command
   * @param usual what the context names: it chooses among several, and never hides the only one with a name
   */
  constructor(
    private readonly landlord: Landlord,
    private readonly named: PlaceNames,
    private readonly usual: PlaceNames = {},
  ) {}

  /**
   * The ids of the levels down to this one. A level that nobody names is the only one.
   * @throws CommandError for an unknown name, and for several levels
   */
  async find(level: Level, name = this.named[level]): Promise<PlaceIds> {
    const all = await this.all();
    this.requireUsual(all, name === undefined ? [...aboveOf(level), level] : aboveOf(level));
    const names = { ...this.chosen, [level]: name ?? this.usual[level] };
    const near = inside(all, level, names);
    const matching =
      near.length > 0 || name === undefined ? near : inside(all, level, { ...this.named, [level]: name });
    const [place] = matching;
    if (place !== undefined && matching.length === 1) return idsOf(place);
    if (matching.length === 0) throw this.unknown(all, level, name ?? this.usual[level]);
    throw several(matching, level, name);
  }

  /** The same for a place of another resource, such as the source of a copy: it may be anywhere. @throws CommandError */
  async anywhere(level: Level, name: string): Promise<PlaceIds> {
    const matching = inside(await this.all(), level, { [level]: name });
    const [place] = matching;
    return place !== undefined && matching.length === 1 ? idsOf(place) : this.find(level, name);
  }

  /** The ids of every place of the level, inside of those that the person or the context names. @throws CommandError for an unknown name */
  async within(level: Level): Promise<PlaceIds[]> {
    const all = await this.all();
    this.requireUsual(all, [...aboveOf(level), level]);
    const matching = inside(all, level, this.chosen);
    if (matching.length === 0 && [...aboveOf(level), level].some((one) => this.chosen[one] !== undefined))
      throw this.unknown(all, level, this.chosen[level]);
    return matching.map(idsOf);
  }

  /** Whether the person or the context names the level. */
  isChosen = (level: Level): boolean => this.chosen[level] !== undefined;

  /** The names of all levels, by the member that has their id. */
  async names(): Promise<(member: string, id: number) => string | undefined> {
    const all = await this.all();
    const names = new Map(all.map((place) => [keyOf(place), place.names[levelOf(place)]]));
    return (member, id) => names.get(`${member} ${id}`);
  }

  /** The shortest word that names the deployment: its name if the organization has it once, else its id. */
  async wordFor(deployment_id: number): Promise<string> {
    const all = (await this.all()).filter((place) => levelOf(place) === 'deployment');
    const name = all.find((place) => place.deployment_id === deployment_id)?.names.deployment ?? '';
    const isWord = /^\w[\w.-]*$/.test(name) && inside(all, 'deployment', { deployment: name }).length === 1;
    return isWord ? name : String(deployment_id);
  }

  /** The command counts more than the context. */
  private get chosen(): PlaceNames {
    const explicit = Object.entries(this.named).filter(([, name]) => name !== undefined);
    return { ...this.usual, ...(Object.fromEntries(explicit) as PlaceNames) };
  }

  /** A context can name a level that is gone. */
  private requireUsual(all: readonly Place[], levels: readonly Level[]): void {
    for (const level of levels) {
      const name = this.usual[level];
      if (name === undefined || this.named[level] !== undefined) continue;
      if (all.some((place) => levelOf(place) === level && matches(place, level, name))) continue;
      const message = `The context names the ${level} "${name}", which does not exist, or the key may not see it.`;
      throw new CommandError(message, EXIT.notFound, `landlord context set ${level}, and a name or nothing`);
    }
  }

  private unknown(all: readonly Place[], level: Level, name: string | undefined): CommandError {
    const above = aboveOf(level).find(
      (one) => this.named[one] !== undefined && !all.some((place) => matches(place, one, this.named[one])),
    );
    if (above !== undefined) return this.unknown(all, above, this.named[above]);
    const message =
      name === undefined ? `There is no ${level}, or the key may not see one.` : `There is no ${level} "${name}".`;
    return new CommandError(message, EXIT.notFound, `landlord ${level}s list`);
  }

  private async all(): Promise<Place[]> {
    this.tree ??= this.landlord.tenants.getStructure();
    return placesOf(await this.tree);
  }
}

/** Every place of a level, with the names of the levels above it. */
export const allPlaces = (tree: Main.StructureView, level: Level): { name: string; id: number; above: string }[] =>
  placesOf(tree)
    .filter((place) => levelOf(place) === level)
    .map((place) => ({
      ...{ name: place.names[level] ?? '', id: place[`${level}_id`] ?? 0 },
      above: aboveOf(level)
        .map((one) => place.names[one])
        .join(' / '),
    }));

function placesOf({ divisions }: Main.StructureView): Place[] {
  return divisions.flatMap((division) => {
    const group = { division_id: division.id, names: { division: division.name } };
    return [
      group,
      ...division.environments.flatMap((environment) => {
        const inside = {
          ...group,
          environment_id: environment.id,
          names: { ...group.names, environment: environment.name },
        };
        const deployments = environment.deployments.map(({ id, name, code }) => ({
          ...{ ...inside, deployment_id: id, code },
          names: { ...inside.names, deployment: name },
        }));
        return [inside, ...deployments];
      }),
    ];
  });
}

const levelOf = ({ names }: Place): Level =>
  LEVELS[LEVELS.filter((one) => names[one] !== undefined).length - 1] ?? 'division';
const keyOf = (place: Place): string => `${levelOf(place)}_id ${place[`${levelOf(place)}_id`]}`;

/** The places of the level that match every name down to it. */
const inside = (all: readonly Place[], level: Level, names: PlaceNames): Place[] =>
  all.filter(
    (place) => levelOf(place) === level && [...aboveOf(level), level].every((one) => matches(place, one, names[one])),
  );

/** A name matches without regard to case, as names are unique. A number is an id, too: if another level has it as its name, both are found. */
function matches(place: Place, level: Level, name: string | undefined): boolean {
  if (name === undefined) return true;
  const isNamed = place.names[level]?.toLowerCase() === name.toLowerCase();
  return isNamed || String(place[`${level}_id`]) === name || (level === 'deployment' && place.code === name);
}

const idsOf = ({ division_id, environment_id, deployment_id }: Place): PlaceIds => ({
  ...(division_id !== undefined && { division_id }),
  ...(environment_id !== undefined && { environment_id }),
  ...(deployment_id !== undefined && { deployment_id }),
});

/** The error for several places. It shows the names of the levels above each place, and its id. */
function several(matching: readonly Place[], level: Level, name: string | undefined): CommandError {
  const paths = matching.map((place) => {
    const path = [...aboveOf(level), level].map((one) => place.names[one]).join(' / ');
    return `${path} (${place[`${level}_id`]})`;
  });
  return usage(
    `${name === undefined ? 'There are' : `"${name}" names`} several ${level}s: ${paths.join(', ')}.`,
    name === undefined ? `add --${level} <name or id>` : 'use the id, or name the levels above, too',
  );
}
