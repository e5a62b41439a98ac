import { EMPTY_TREE, narrowHolding, type PermissionTree } from '@libs/domain';

/** More pairs of roles than keys are busy at once in one process; beyond it all are forgotten, rather than kept without bound. */
const MOST = 1000;

/**
 * What a key shares with its owner, by the JSON of their roles. To read and compare the roles anew for each request would cost
 * more than the statement that fetches them. Nothing outlives a change by it: other roles are another text.
 */
export class SharedTrees {
  private readonly known = new Map<string, PermissionTree>();

  get size(): number {
    return this.known.size;
  }

  /** With `owner` null, the owner has the very role of the key. */
  of(own: string, owner: string | null): PermissionTree {
    const name = owner === null ? own : `${own}\n${owner}`;
    const known = this.known.get(name);
    if (known) return known;
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

/** Many requests have it in hand: none of them may change it. */
const frozen = (tree: PermissionTree): PermissionTree =>
  JSON.parse(JSON.stringify(tree), (_, value: unknown) => Object.freeze(value)) as PermissionTree;
