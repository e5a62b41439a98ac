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

/** Finds levels by their names in the tree of the organization, which is read once. */
export class Places {
  private tree: Promise<Main.StructureView> | null = null;

  constructor(
    private readonly landlord: Landlord,
    private readonly names: PlaceNames,
  ) {}

  /**
   * The ids of the levels down to this one. A level that nobody names is the only one.
   * @throws CommandError for an unknown name, and for several levels
   */
  async find(level: Level, name = this.names[level]): Promise<PlaceIds> {
    const all = placesOf(await this.structure());
    const above = LEVELS.slice(0, LEVELS.indexOf(level));
    const below = all.filter(
      (place) => isOf(place, level) && above.every((one) => matches(place, one, this.names[one])),
    );
    const found = below.filter((place) => matches(place, level, name));
    const [place] = found;
    if (place !== undefined && found.length === 1) return idsOf(place);
    if (found.length === 0) throw this.unknown(level, name);
    throw usage(
      `${name === undefined ? 'There are' : `"${name}" names`} several ${level}s: ${found.map((one) => shown(one, level)).join(', ')}.`,
      `add --${level} <name or id>`,
    );
  }

  private unknown(level: Level, name: string | undefined): CommandError {
    const message =
      name === undefined ? `There is no ${level}, or the key may not see one.` : `There is no ${level} "${name}".`;
    return new CommandError(message, EXIT.notFound, `landlord ${level}s list`);
  }

  private structure(): Promise<Main.StructureView> {
    this.tree ??= this.landlord.tenants.getStructure();
    return this.tree;
  }
}

/** Every place of a level, with the names of the levels above it. */
export const allPlaces = (tree: Main.StructureView, level: Level): { name: string; id: number; above: string }[] =>
  placesOf(tree)
    .filter((place) => isOf(place, level))
    .map((place) => ({
      ...{ name: place.names[level] ?? '', id: place[`${level}_id`] ?? 0 },
      above: LEVELS.slice(0, LEVELS.indexOf(level))
        .map((one) => place.names[one])
        .join(' / '),
    }));

function placesOf({ divisions }: Main.StructureView): Place[] {
  return divisions.flatMap((division) => {
    const own = { division_id: division.id, names: { division: division.name } };
    return [
      own,
      ...division.environments.flatMap((environment) => {
        const inside = {
          ...own,
          environment_id: environment.id,
          names: { ...own.names, environment: environment.name },
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

const isOf = (place: Place, level: Level): boolean =>
  LEVELS.filter((one) => place.names[one] !== undefined).length === LEVELS.indexOf(level) + 1;

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

const shown = (place: Place, level: Level): string => `${place.names[level]} (${place[`${level}_id`]})`;
