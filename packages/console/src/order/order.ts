import type { Main } from '@landlord/sdk';

export type Kind = 'free' | 'managed';
export type Cloud = Main.CreateManagedDto['cloud'];

/** What a person has chosen. Ids are texts, as in the fields. */
export interface Choices {
  name: string;
  environment: string;
  cloud: Cloud;
  region: string;
  /** The size of each node. */
  tier: Main.CreateManagedDto['tier'];
  terms: NonNullable<Main.CreateManagedDto['managed_tier']>;
  zones: NonNullable<Main.CreateManagedDto['availability_mode']>;
}

export interface Place {
  division: { id: number; name: string };
  environment: { id: number; name: string };
}

/** The request that the choices make. */
export type Order = { kind: 'free'; body: Main.CreateStarterDto } | { kind: 'managed'; body: Main.CreateManagedDto };

/** The part of a managed order that has a price. */
export const shapeOf = ({ cloud, region, tier, terms, zones }: Choices): Main.ShapeDto => ({
  ...{ cloud, region, tier, managed_tier: terms, availability_mode: zones },
});

export function orderOf(kind: Kind, choices: Choices, place: Place | undefined): Order {
  const { cloud, region } = choices;
  const name = choices.name.trim();
  if (kind === 'managed') return { kind, body: { ...shapeOf(choices), name, cluster: 'cluster' } };
  return {
    kind,
    body: {
      ...{ cloud, region },
      ...(place && { environment_id: place.environment.id }),
      ...(name !== '' && { deployment_name: name }),
    },
  };
}

/** What is missing before the order can be sent. Null: nothing. */
export function missingIn(kind: Kind, { region, name }: Choices, place: Place | undefined): string | null {
  if (!place) return 'The organization has no environment.';
  if (region === '') return 'Choose a region first.';
  return kind === 'managed' && name.trim() === '' ? 'Give the deployment a name first.' : null;
}
