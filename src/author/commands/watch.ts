/** `svodka watch`: the gateway, and definitions that are taken as they are saved. */
import { createSystemClock } from '../../model/clock.ts'
import type { Config } from '../../config/config.ts'
import { watchFolder } from '../../definitions/watch-folder.ts'
import { findDatabases } from './databases.ts'
import { demo } from '../../demo/demo-command.ts'
import {
  createGatewayProcess,
  type GatewayProcess,
} from '../../serve/command-line/gateway-process.ts'
import { orFindings, readSettings, withNoDatabase } from '../../serve/command-line/load-all.ts'
import { say } from '../../serve/command-line/output.ts'
import { createReloadReport } from './reload-report.ts'
import { createReloading, readFirst } from './reloading.ts'
import { shownPath } from '../../serve/command-line/shown-path.ts'

/**
 * Starts even if definitions are broken, but not without a key look-up. Serves the replica at
 * `DATABASE_URL`, or the demo that runs in this checkout, or else starts one. Answers the exit code.
 * @throws CommandError where a setting is wrong or there is no key look-up.
 */
export async function watch(environment: NodeJS.ProcessEnv): Promise<number> {
  const databases = await findDatabases(environment, { lasting: true })
  if (databases !== undefined) return serveAndReload(readSettings(databases.environment))
  // Before the servers: it should not take long to hear what keeps the gateway from starting.
  const { sqlDir } = readSettings(withNoDatabase(environment))
  orFindings(sqlDir, () => readFirst(sqlDir))
  return demo(environment, 'watch')
}

async function serveAndReload(config: Config): Promise<number> {
  const now = createSystemClock()
  const loadedFrom = now()
  const { sqlDir: directory } = config
  const reloading = orFindings(directory, () =>
    createReloading({
      directory,
      report: createReloadReport(say, directory),
      rehearse: catalog => running.gateway.rehearse(catalog),
      use: (catalog, loadedInMs) => running.replaceCatalog(catalog, loadedInMs),
      onWait: () =>
        say(
          'the replica cannot be asked now: what was saved is taken once it has been planned there',
        ),
      onError: error => running.observe({ kind: 'process-error', error }),
      now,
    }),
  )
  const { catalog } = reloading
  const running: GatewayProcess = createGatewayProcess({
    config,
    catalog,
    loadedInMs: now() - loadedFrom,
    now,
    onRehearsed: () => reloading.reload(),
  })
  reloading.start()
  const unwatch = watchFolder(directory, () => reloading.reload())
  say(`watching ${shownPath(directory)}`)
  const code = await running.run()
  unwatch()
  return code
}
