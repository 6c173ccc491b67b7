/** A plugin of StrykerJS: tries the nearest tests of a mutant first, because the first failure ends its run. */
import { type Injector, type PluginContext, PluginKind, declareFactoryPlugin } from '@stryker-mutator/api/plugin';
import { type TapTestRunner, createTapTestRunnerFactory } from '@stryker-mutator/tap-runner';

const tapRunner = createTapTestRunnerFactory();

function nearestFirst(injector: Injector<PluginContext>): TapTestRunner {
  const runner = tapRunner(injector);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = (options) =>
    mutantRun(
      options.testFilter === undefined
        ? options
        : { ...options, testFilter: byDistance(options.activeMutant.fileName, options.testFilter) },
    );
  return runner;
}
nearestFirst.inject = tapRunner.inject;

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'nearest-first', nearestFirst)];

/** Sorts tests by how much of their path below test/unit matches the source's path below src. */
function byDistance(source: string, tests: readonly string[]): string[] {
  const place = source.replaceAll('\\', '/').replace(/^.*\/src\//, '');
  const shared = (test: string): number => {
    const other = test.replace(/^.*test\/unit\//, '');
    const end = [...place].findIndex((character, index) => character !== other[index]);
    return end === -1 ? place.length : end;
  };
  return tests.toSorted((a, b) => shared(b) - shared(a));
}
