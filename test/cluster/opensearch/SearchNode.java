import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** Runs one OpenSearch node: SearchNode HOME NAME=VALUE…, with settings as in opensearch.yml. */
class SearchNode extends Node {
  private SearchNode(Environment environment) {
    super(environment, List.of(Netty4Plugin.class, ReindexPlugin.class), true);
  }

  /** Does nothing, because it would need a logging configuration that only the distribution has. */
  @Override
  protected void configureNodeAndClusterIdStateListener(ClusterService clusterService) {}

  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[0]);
    Path configuration = Files.createDirectories(home.resolve("config"));
    Settings.Builder settings = Settings.builder().put("path.home", home.toString());
    for (String argument : List.of(arguments).subList(1, arguments.length)) {
      String[] pair = argument.split("=", 2);
      settings.put(pair[0], pair[1]);
    }
    String name = settings.get("node.name");
    new SearchNode(InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), configuration, () -> name))
        .start();
    // The input ends when the parent process ends, even in a crash.
    System.in.transferTo(java.io.OutputStream.nullOutputStream());
    System.exit(0);
  }
}
