/** The public port: key look-ups, cache, loads, routes and connections, wired to one server. Knows no database. */
import { tmpdir } from 'node:os'
import type { Config } from '../config/config.ts'
import { KEYS_POOL_SIZE } from '../config/limits.ts'
import type { Catalog } from '../definitions/definition.ts'
import type { Gauges } from '../model/gauges.ts'
import type { Observe } from '../model/observation.ts'
import type { Clock } from '../model/terms.ts'
import { createOrganizationLookup, type FindOrganizations } from './access/organization-lookup.ts'
import { createCache } from './cache/cache.ts'
import type { Execute } from './database/execute.ts'
import { createActiveRequests } from './http/active-requests.ts'
import { createAuthentication } from './http/authenticate.ts'
import { createFastPath } from './http/fast-path/fast-path.ts'
import { createCors } from './http/response.ts'
import { createSender } from './http/sender.ts'
import { createServer } from './http/server.ts'
import { createLoadChoices } from './report/load-choices.ts'
import { createLoadMetrics } from './report/load-metrics.ts'
import { createLoadReport } from './report/load-report.ts'
import { createOutgoingBodies } from './report/body.ts'
import { Spool } from './report/spool.ts'
import { createRespond } from './respond.ts'
import { createPageRoutes } from './http/page-files.ts'
import { createInvalidAccessRows } from './access/access-rows.ts'

/** Size limit of the aliases, as a part of the cache's size. */
const ALIAS_PART = 1 / 16

export function createApi(options: {
  readonly config: Config
  /** The catalog in use now. */
  readonly catalog: () => Catalog
  readonly draining: () => boolean
  readonly find: FindOrganizations
  readonly execute: Execute
  readonly observe: Observe
  readonly now: Clock
  readonly wall: Clock
  readonly random: () => number
}) {
  const { config, observe, now } = options
  const { cacheMaxBytes } = config
  const cache = createCache({ ...options, maxBytes: cacheMaxBytes })
  const fastPath = createFastPath(cache, Math.floor(cacheMaxBytes * ALIAS_PART), now)
  const outgoingBodies = createOutgoingBodies(cacheMaxBytes)
  const spool = new Spool(config.spoolMaxBytes, tmpdir())

  const pages = config.explorer === 'on' ? createPageRoutes() : new Map<string, never>()
  const requests = createActiveRequests({ ...options, pages })
  const invalidRows = createInvalidAccessRows(observe, now)
  const lookup = createOrganizationLookup(options.find, KEYS_POOL_SIZE, observe, now)
  const cors = createCors(config.corsOrigins)
  const parts = { ...options, cors, requests, pages, cache, outgoingBodies }
  const loadReport = createLoadReport({ ...options, maxBytes: config.maxCachedBytes, spool })
  const respond = createRespond({
    ...parts,
    authentication: createAuthentication({ ...parts, lookup, invalidRows }),
    fastPath: config.fastPath === 'on' ? fastPath : undefined,
    loadReport,
    loadMetrics: createLoadMetrics(options),
    loadChoices: createLoadChoices(options),
    sender: createSender(parts),
  })
  const server = createServer(respond, observe, () => options.catalog().product)
  server.on('connection', socket => requests.open(socket))

  const gauges: Pick<Gauges, 'cache' | 'inFlight' | 'invalidAccessRowCount' | 'bufferedBytes'> = {
    cache: () => ({
      byteCount: cache.byteCount(),
      maxBytes: cacheMaxBytes,
      entryCount: cache.entryCount(),
      aliasByteCount: fastPath.byteCount(),
    }),
    inFlight: requests.count,
    invalidAccessRowCount: () => invalidRows.count(),
    bufferedBytes: () => ({
      spooledBytes: spool.bytesInUse(),
      maxSpooledBytes: config.spoolMaxBytes,
      heldBytes: outgoingBodies.byteCount(),
    }),
  }

  return {
    server,
    gauges,
    /** Why the last file of a large response failed. */
    spoolFailure: () => spool.failure?.message,
    /** Closes connections without a request. */
    closeUnused: () => requests.closeUnused(),
    /** Stops loads for clients that come back, and deletes files. */
    stop(): void {
      requests.close()
      cache.stop()
      spool.close()
    },
  }
}
