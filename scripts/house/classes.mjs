/** The classes of files, by path. The first that matches counts, and `rest` matches all. */
export const CLASSES = [
  ['lock', /(^|\/)(package-lock\.json|go\.sum)$/],
  [
    'generated',
    /(^|\/)generated\/|^packages\/terraform-provider-landlord\/(internal\/api\/|docs\/)|^test\/golden\/|^contract\//,
  ],
  ['tests', /\.(spec|proof|fixture|attack|story|matrix)\.[a-z.]+$|_test\.go$|^test\/|^libs\/testing\/|(^|\/)test\//],
  ['documents', /\.md$|^docs\/|(^|\/)(LICENSE|NOTICE)$/],
  ['source', /^(apps|libs|packages)\/.*\.(ts|tsx|js|mjs|cjs|css|go|sh|html)$/],
  ['scripts', /^(scripts|site|docker|charts|\.ci|\.github)\//],
  ['rest', /./],
];
