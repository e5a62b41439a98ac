import { Inject, Injectable } from '@nestjs/common';
import { Catalog } from '@libs/catalog';
import type { FieldIssue } from '@libs/domain';
import { FurtherFaults } from '@libs/http';
import { MAIN_API_CONFIG, type MainApiConfig } from '../../config.js';
import { validateByoc } from '../byoc/byoc-request.js';
import { CreateByocDto } from '../dto/create-byoc.dto.js';
import { CreateManagedDto } from '../dto/create-managed.dto.js';
import { CreateStarterDto } from '../dto/create-starter.dto.js';
import { ShapeDto, type StorageDto } from '../dto/shape.dto.js';
import { validateManaged } from './managed-rules.js';
import { validateShape, type ValidatedShape } from './shape-rules.js';
import { validateStarter } from './starter-request.js';

/** The other members that a fault at a path depends on. If one of them is malformed, the fault is not reliable. */
const DEPENDS_ON: Record<string, string[]> = {
  '/region': ['/cloud'],
  '/tier': ['/cloud', '/region'],
  '/cluster': ['/tier'],
  '/storage/type': ['/cloud', '/region', '/tier', '/managed_tier'],
  '/storage/size': ['/storage/type'],
  '/managed_tier': ['/tier'],
  '/availability_mode': ['/managed_tier'],
  '/dedicated': ['/tier'],
  '/retention/telemetry_days': ['/tier', '/managed_tier'],
};

type Malformed = ReadonlySet<string>;
type RequestedShape = Pick<ShapeDto, 'cloud' | 'region' | 'tier'> & { storage?: StorageDto };

/** Finds the faults of a partly malformed request that the catalog defines, so that a caller gets all faults at once. */
@Injectable()
export class RequestFaults {
  constructor(
    faults: FurtherFaults,
    private readonly catalog: Catalog,
    @Inject(MAIN_API_CONFIG) config: MainApiConfig,
  ) {
    faults.find(ShapeDto, (dto, malformed) =>
      this.reliableFaults(dto, malformed, (request) => validateShape(catalog, request)),
    );
    faults.find(CreateManagedDto, (dto, malformed) =>
      this.reliableFaults(dto, malformed, (request) => validateManaged(catalog, request)),
    );
    faults.find(CreateByocDto, (dto, malformed) =>
      this.reliableFaults(dto, malformed, (request) =>
        validateByoc(catalog, request, { externalId: request.aws?.external_id ?? '', operator: config }),
      ),
    );
    faults.find(CreateStarterDto, (dto, malformed) =>
      this.reliableFaults({ ...dto, tier: 'free' as const }, malformed, (request) => validateStarter(catalog, request)),
    );
  }

  private reliableFaults<T extends RequestedShape>(
    dto: T,
    malformed: Malformed,
    validate: (request: T) => ValidatedShape,
  ): FieldIssue[] {
    const isReliable = ({ path }: FieldIssue): boolean =>
      ![path, ...(DEPENDS_ON[path] ?? [])].some((member) => malformed.has(member));
    return validate(this.withValidValues(dto, malformed)).issues.filter(isReliable);
  }

  /** Returns the request with valid values instead of the malformed ones. */
  private withValidValues<T extends RequestedShape>(dto: T, malformed: Malformed): T {
    const cloud = malformed.has('/cloud') ? 'aws' : dto.cloud;
    const isElsewhere = malformed.has('/cloud') || malformed.has('/region');
    const wellFormed = Object.entries(dto).filter(([name]) => !malformed.has(`/${name}`));
    const request = {
      ...Object.fromEntries(wellFormed),
      cloud,
      region: isElsewhere ? (this.catalog.regions(cloud)[0]?.key ?? '') : dto.region,
      tier: malformed.has('/tier') ? 'small' : dto.tier,
    };
    const nested = Object.entries(request).map(([name, value]) => [
      name,
      withoutMalformed(value, `/${name}`, malformed),
    ]);
    return Object.fromEntries(nested) as T;
  }
}

/**
 * Removes malformed members of a member. A partly malformed account is removed as a whole, because its faults are not
 * reliable.
 */
function withoutMalformed(value: unknown, path: string, malformed: Malformed): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const isPartly = [...malformed].some((other) => other.startsWith(`${path}/`));
  if (!isPartly) return value;
  const wellFormed = Object.entries(value).filter(([name]) => !malformed.has(`${path}/${name}`));
  return path === '/storage' || path === '/retention' ? Object.fromEntries(wellFormed) : undefined;
}
