// A program: `make run` in a separate folder, with new data.
import { fileURLToPath } from 'node:url'
import { serveDemo } from '../../../src/demo/demo-command.ts'

const [directory = ''] = process.argv.slice(2)
const checkout = fileURLToPath(new URL('../../../..', import.meta.url))
process.exitCode = await serveDemo({
  environment: process.env,
  directory,
  sqlDirectory: `${checkout}/sql/product`,
  scale: 1,
  gateway: [`${checkout}/dist/src/main.js`, 'serve'],
})
