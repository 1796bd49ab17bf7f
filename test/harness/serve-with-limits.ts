// `svodka serve` with other limits than the constants, for tests of processes: node serve-with-limits.js '{"keyTimeoutMs":10000}'
import type { Limits } from '../../src/config/limits.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { loadCatalog } from '../../src/definitions/load-catalog.ts'
import { withSqlParser } from '../../src/definitions/sql/sql-parser.ts'
import { createSystemClock } from '../../src/model/clock.ts'
import { createGatewayProcess } from '../../src/serve/command-line/gateway-process.ts'

const limits = JSON.parse(process.argv[2] ?? '{}') as Partial<Limits>
const config = { ...readConfig(process.env), ...limits }
const catalog = await withSqlParser(parse => loadCatalog(config.sqlDir, parse))
const running = createGatewayProcess({ config, catalog, loadedInMs: 0, now: createSystemClock() })
process.exit(await running.run())
