/** PostgreSQL 18's parser in WebAssembly. Only the parser process loads it. */
import { createRequire } from 'node:module'
import type * as Package from 'libpg-query'

const require = createRequire(import.meta.url)

// why: an import scans the whole package for export names, a third of the process's start time
export const { hasSqlDetails, loadModule, parseSync, scanSync } =
  require('libpg-query') as typeof Package
