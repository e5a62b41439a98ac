import { EMPTY_TREE, narrowHolding, type PermissionTree } from '@libs/domain';

/** More pairs of roles than busy keys in one process. Above it all are forgotten, so that the memory stays bounded. */
const MOST = 1000;

/**
 * The permissions that a key shares with its owner, cached by the JSON of their roles. Parsing and comparing the roles for each
 * request would cost more than the statement that reads them. A change of a role takes effect at once, because its text
 * differs.
 */
export class SharedTrees {
  private readonly known = new Map<string, PermissionTree>();

  get size(): number {
    return this.known.size;
  }

  /** `owner` null: the owner has the role of the key. */
  of(own: string, owner: string | null): PermissionTree {
    const name = owner === null ? own : `${own}\n${owner}`;
    const cached = this.known.get(name);
    if (cached) return cached;
    if (this.known.size >= MOST) this.known.clear();
    const tree = share(own, owner);
    this.known.set(name, tree);
    return tree;
  }
}

function share(own: string, owner: string | null): PermissionTree {
  const tree = { ...EMPTY_TREE, ...(JSON.parse(own) as PermissionTree) };
  if (owner === null) return frozen(tree);
  const holder = { trees: JSON.parse(owner) as PermissionTree[], divisionScope: null };
  const [shared = EMPTY_TREE] = narrowHolding({ trees: [tree], divisionScope: null }, holder).trees;
  return frozen(shared);
}

/** Frozen, because many requests use the same tree. */
const frozen = (tree: PermissionTree): PermissionTree =>
  JSON.parse(JSON.stringify(tree), (_, value: unknown) => Object.freeze(value)) as PermissionTree;
