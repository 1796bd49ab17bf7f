/** `svodka watch`: serves, and reloads definitions when they are saved. */
import type { Config } from '../../config/config.ts'
import { findDatabases } from './databases.ts'
import { demo } from '../../demo/demo-command.ts'
import { createGatewayProcess } from '../../serve/start/gateway-process.ts'
import { withNoDatabase } from '../../config/other-databases.ts'
import { orFindings, readSettings } from '../../command/load-all.ts'
import { printLine, displayPath } from '../../command/output.ts'
import { createReloading, readFirst } from '../../serve/start/reloading.ts'
import { createReloadReport } from './reload-report.ts'
import { watchFolder } from './watch-folder.ts'

/** why: an author sees a saved change at once */
const QUIET_MS = 200

/**
 * Starts even if definitions are broken. Serves the replica at `DATABASE_URL`; without it the demo of this checkout,
 * which it starts if necessary.
 * @returns the exit code @throws CommandError if a setting is wrong or there is no key look-up.
 */
export async function watch(environment: NodeJS.ProcessEnv): Promise<number> {
  const databases = await findDatabases(environment, { lasting: true })
  if (databases !== undefined) return serveAndReload(readSettings(databases.environment))
  // why: errors are reported before a demo is started
  const { sqlDir } = readSettings(withNoDatabase(environment))
  await orFindings(sqlDir, () => readFirst(sqlDir))
  return demo(environment, 'watch')
}

async function serveAndReload(config: Config): Promise<number> {
  const { sqlDir: directory } = config
  const first = await orFindings(directory, () => readFirst(directory))
  const running = createGatewayProcess(config, first)
  const reload = createReloading({
    directory,
    first,
    gateway: running.gateway,
    allOrNothing: false,
    report: createReloadReport(directory),
  })
  process.on('SIGHUP', reload)
  const unwatch = watchFolder(directory, reload, QUIET_MS)
  printLine(`watching ${displayPath(directory)}`)
  reload()
  const code = await running.run()
  unwatch()
  process.off('SIGHUP', reload)
  return code
}
