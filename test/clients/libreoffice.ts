// LibreOffice with a Russian locale and a profile of its own.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { needs, run } from './clients.ts'

const RUSSIAN = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"><item oor:path="/org.openoffice.Setup/L10N">
<prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>ru-RU</value></prop></item></oor:items>
`

/** Converts files of the folder. */
type Convert = (...options: readonly string[]) => Promise<void>

/** For hooks: skips if LibreOffice is not installed. */
export async function libreOffice(context: Mocha.Context, folder: string): Promise<Convert> {
  const profile = `-env:UserInstallation=file://${folder}/profile`
  mkdirSync(join(folder, 'profile/user'), { recursive: true })
  writeFileSync(join(folder, 'profile/user/registrymodifications.xcu'), RUSSIAN)
  const programs = ['soffice', 'libreoffice']
  const program = await needs(context, 'libreoffice-calc-nogui', programs, [profile, '--version'])
  return async (...options) => {
    const { exitCode, stderr } = await run(program, [profile, '--headless', ...options], folder)
    if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode}: ${stderr}`)
  }
}
