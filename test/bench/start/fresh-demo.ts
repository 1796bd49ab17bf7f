// A program: what `make run` runs, in a folder of its own, so that its data are made anew.
import { fileURLToPath } from 'node:url'
import { runDemo } from '../../../src/demo/demo-command.ts'

const [directory = ''] = process.argv.slice(2)
const checkout = fileURLToPath(new URL('../../../..', import.meta.url))
process.exitCode = await runDemo({
  environment: process.env,
  directory,
  sqlDirectory: `${checkout}/sql/product`,
  scale: 1,
  gateway: [`${checkout}/dist/src/main.js`, 'serve'],
})
