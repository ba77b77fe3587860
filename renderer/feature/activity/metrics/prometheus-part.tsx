import { useStore } from 'zustand/react';
import { useModel } from '../../../store/model-context.tsx';
import { Fact, Facts, Section } from '../../../ui/facts.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import classes from './metrics.module.css';
import { metricsAddress, scrapeConfig } from './scrape-config.ts';

/** Shows how to scrape these numbers with Prometheus. */
export function PrometheusPart() {
  const hub = useStore(useModel().mirrors.hub, (state) => state);
  if (hub === undefined) return null;
  const { endpoint, dataDir } = hub;
  if (endpoint === undefined) {
    return (
      <Section title="Prometheus">
        <p className="dim tiny">The HTTP endpoint is not running, so there is nothing to scrape.</p>
      </Section>
    );
  }
  const address = metricsAddress(endpoint);
  const config = () => scrapeConfig(endpoint, dataDir);
  return (
    <Section
      title="Prometheus"
      aside={
        <CopyButton text={config} label="Copy a scrape config for Prometheus" words="Copy scrape config" />
      }
    >
      <Facts>
        <Fact label="URL">
          <span className={classes.copied}>
            <code>{address}</code>
            <CopyButton text={() => address} label="Copy the URL" />
          </span>
        </Fact>
        <Fact label="Token">
          Use the admin token as the bearer token. The scrape config reads it from <code>admin.token</code> in
          the data folder.
        </Fact>
      </Facts>
    </Section>
  );
}
