/** What the pages of profiles are made of. */

import "./profile.css";
import "./sp-profile";
import "./sp-trial";
