// A program for tests: the demo with a small product and a stand-in for the gateway, in the folder named.
import { fileURLToPath } from 'node:url'
import { runDemo } from '../../src/commands/demo.ts'

const [directory = ''] = process.argv.slice(2)
process.exitCode = await runDemo({
  environment: process.env,
  directory,
  sqlDirectory: 'test/demo/product',
  scale: 1,
  gateway: [fileURLToPath(new URL('../demo/stand-in-gateway.js', import.meta.url))],
})
