const NAMES = { type: 'array' as const, items: { type: 'string' as const } };

/** The permissions of a role or key, by group (C-5.5), for the API description. */
export const PERMISSION_TREE = {
  type: 'object' as const,
  properties: {
    tenant: { ...NAMES, description: 'Reach everything.' },
    division: { ...NAMES, description: 'Reach every division in scope.' },
    environment: { ...NAMES, description: 'Reach every environment in scope.' },
    divisions: {
      type: 'object' as const,
      description: 'Reach exactly these divisions, by id.',
      additionalProperties: {
        type: 'object' as const,
        properties: {
          permissions: { ...NAMES, description: 'Reach this division.' },
          environment: { ...NAMES, description: 'Reach every environment of this division.' },
          environments: {
            type: 'object' as const,
            description: 'Reach exactly these environments of this division, by id.',
            additionalProperties: NAMES,
          },
        },
      },
    },
  },
};
